/** `GET /posters/{name}.svg`: the pictures that the demo city's events point at. Without a key, as pictures on a page must be. */

import type { FastifyPluginCallback } from 'fastify';
import { posterSvg } from './posters/poster.ts';

export const posterRoutes: FastifyPluginCallback = (room, _options, done) => {
  room.get<{ Params: { name: string } }>('/posters/:name.svg', (request, reply) => {
    const { name } = request.params;
    const svg = posterSvg(name);
    if (svg === null) return reply.callNotFound();
    return reply.headers(POSTER_HEADERS).send(svg);
  });
  done();
};

/** A name says all that is drawn, so a picture never changes; pages elsewhere may show it, and nothing in it may run. */
const POSTER_HEADERS = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

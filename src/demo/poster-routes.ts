/** `GET /posters/<name>.svg`: the pictures of the demo city's events, drawn when asked for. */

import type { FastifyPluginCallback } from 'fastify';
import { posterSvg } from './posters/poster.ts';

export const posterRoutes: FastifyPluginCallback = (room, _options, done) => {
  room.get<{ Params: { name: string } }>('/posters/:name.svg', (request, reply) => {
    const svg = posterSvg(request.params.name);
    if (svg === null) return reply.callNotFound();
    // A name says all that its picture holds, so the picture of a name never changes.
    reply.headers({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    });
    return reply.type('image/svg+xml; charset=utf-8').send(svg);
  });
  done();
};

/** `GET /posters/{name}.svg`: pictures for events that have none. Without a key, as pictures on a page must be. */

import type { FastifyPluginCallback } from 'fastify';
import { posterSvg } from './poster.ts';

export function createPosterRoutes(cityName: () => string): FastifyPluginCallback {
  return (scope, _options, done) => {
    scope.get<{ Params: { name: string } }>('/posters/:name.svg', (request, reply) => {
      const svg = posterSvg(request.params.name, cityName());
      if (svg === null) return reply.callNotFound();
      return reply.headers({ ...POSTER_HEADERS, 'Cache-Control': 'public, max-age=31536000, immutable' }).send(svg);
    });
    done();
  };
}

/** A name says all that is drawn, so a picture never changes; pages elsewhere may show it, and nothing in it may run. */
export const POSTER_HEADERS = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

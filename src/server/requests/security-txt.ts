/** `/.well-known/security.txt` (RFC 9116): whom to tell about a flaw of this service. */

import type { FastifyPluginCallback } from 'fastify';
import { DAY_MS } from '../../values/duration.ts';

/** `contact`: a URI: `mailto:…` or `https://…`. `publicUrl`: without a trailing slash. `now`: milliseconds. */
export function createSecurityTxt(contact: string, publicUrl: string, now: () => number): FastifyPluginCallback {
  return (room, _options, done) => {
    room.get(PATH, async (_request, reply) => {
      // Whole days, so that a day's answers are the same.
      const expires = new Date(Math.ceil((now() + VALID_MS) / DAY_MS) * DAY_MS).toISOString();
      const lines = [
        `Contact: ${contact}`,
        `Expires: ${expires}`,
        'Preferred-Languages: en',
        `Canonical: ${publicUrl}${PATH}`,
        '',
      ];
      reply.header('Cache-Control', 'public, max-age=3600').type('text/plain; charset=utf-8');
      return reply.send(lines.join('\n'));
    });
    done();
  };
}

const PATH = '/.well-known/security.txt';
/** The RFC advises less than a year. A running service renews it with each answer. */
const VALID_MS = 90 * DAY_MS;

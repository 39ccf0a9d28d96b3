/** Who may ask for embeds, and how often: every network has a limit, and a lower one for embeds that do not exist. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Problem, Refuse } from '../http/index.ts';
import type { EmbedSource } from './embed-source.ts';
import type { Embed } from './embeds.ts';
import { createNetworkLimit } from './network-limit.ts';

export interface EmbedAccess {
  /** Undefined: refused already. Null: there is none. */
  findEmbed(request: FastifyRequest, reply: FastifyReply, id: string): Promise<Embed | null | undefined>;
  /** True: refused already. */
  isOverLimit(request: FastifyRequest, reply: FastifyReply): boolean;
}

export interface EmbedAccessOptions {
  source: Pick<EmbedSource, 'find'>;
  refuse: Refuse;
  /** Milliseconds that never step back. */
  monotonic: Clock;
}

export function createEmbedAccess({ source, refuse, monotonic }: EmbedAccessOptions): EmbedAccess {
  const requests = createNetworkLimit(monotonic, PER_MINUTE);

  return {
    async findEmbed(request, reply, id) {
      const { embed, wait } = await source.find(id, request.ip);
      if (wait === 0) return embed;
      refuse(request, reply, tooOften(wait, 'this network asked for too many embeds that do not exist'), CORS);
      return undefined;
    },

    isOverLimit(request, reply) {
      const wait = requests.waitOf(request.ip);
      if (wait === 0) requests.add(request.ip);
      else refuse(request, reply, tooOften(wait, `this network allows ${PER_MINUTE} requests a minute`), CORS);
      return wait > 0;
    },
  };
}

function tooOften(wait: number, why: string): Problem {
  return { code: 'rate_limit_minute', detail: `${why}; wait ${wait} s`, members: { retryAfterSeconds: wait } };
}

/** Any site may read the answer. */
export const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Robots-Tag': 'noindex',
} as const;
/** Of one network. */
const PER_MINUTE = 120;

/** Embeds by id, for anybody. Guessed ids neither push out embeds that were read, nor reach the database without a limit. */

import type { Clock } from '../clock.ts';
import type { Embed } from './embeds.ts';
import { createFreshCache } from './fresh-cache.ts';
import { createNetworkLimit } from './network-limit.ts';

export interface EmbedFinder {
  find(id: string, address: string): Promise<FoundEmbed>;
}

export interface FoundEmbed {
  /** Null for every text that is no embed's id. */
  embed: Embed | null;
  /** 0; or nobody looked, and the network may ask for further unknown ids in so many seconds. */
  wait: number;
}

export interface EmbedFinderOptions {
  load(id: string): Promise<Embed | null>;
  /** Milliseconds that never step back. */
  monotonic: Clock;
  onFailure(error: unknown): void;
}

export function createEmbedFinder({ load, monotonic, onFailure }: EmbedFinderOptions): EmbedFinder {
  const embeds = createFreshCache({ load, freshMs: FRESH_MS, monotonic, onFailure });
  const unknown = createNetworkLimit(monotonic, UNKNOWN_PER_MINUTE);

  return {
    async find(id, address) {
      if (!ID.test(id)) return { embed: null, wait: 0 };
      const isKnown = embeds.isKnown(id);
      const wait = isKnown ? 0 : unknown.waitOf(address);
      if (wait > 0) return { embed: null, wait };
      const embed = await embeds.get(id);
      if (embed === null && !isKnown) unknown.add(address);
      return { embed, wait: 0 };
    },
  };
}

const ID = /^[0-9A-Za-z]{14}$/;
/** How soon a change of an embed is seen. */
const FRESH_MS = 20_000;
/** Lookups that find nothing, for each network. */
const UNKNOWN_PER_MINUTE = 30;

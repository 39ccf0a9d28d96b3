/** Embeds and their events, from memory wherever they were read a moment ago. */

import type { Kysely } from 'kysely';
import { drawAreas } from '../city/index.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { SearchReader } from '../search/index.ts';
import type { Database } from '../store/index.ts';
import { loadCityMap } from './city-map.ts';
import { type EmbedDocument, writeEmbedDocument } from './embed-document.ts';
import { createEmbedFinder, type EmbedFinder } from './embed-finder.ts';
import { type Embed, loadPublicEmbed } from './embeds.ts';
import { createFreshCache } from './fresh-cache.ts';

export interface EmbedSourceOptions {
  db: Kysely<Database>;
  search: SearchReader;
  /** Directory time, milliseconds. */
  now: Clock;
  /** Without a trailing slash. */
  publicUrl: () => string;
  log: Log;
}

export interface EmbedSource extends EmbedFinder {
  documentOf(embed: Embed): Promise<EmbedDocument>;
}

/** `monotonic`: milliseconds that never step back. */
export function createEmbedSource({ db, search, now, publicUrl, log }: EmbedSourceOptions, monotonic: Clock): EmbedSource {
  const onFailure = (err: unknown) => log.warn({ err }, 'cannot read embeds; showing what was read before');
  const { find } = createEmbedFinder({ load: (id) => loadPublicEmbed(db, id), monotonic, onFailure });
  const maps = createFreshCache({ load: () => loadCityMap(db), freshMs: MAP_FRESH_MS, monotonic, onFailure });
  const documents = new Map<string, { document: EmbedDocument; edition: number; updatedAt: number }>();

  return {
    find,
    async documentOf(embed) {
      const snapshot = search.current();
      const { edition } = snapshot;
      const updatedAt = embed.updatedAt.getTime();
      const held = documents.get(embed.id);
      if (held?.edition === edition && held.updatedAt === updatedAt && now() < held.document.until) return held.document;
      const map = (await maps.get('')) ?? NO_MAP;
      const document = writeEmbedDocument(embed, { snapshot, now: now(), publicUrl: publicUrl(), map });
      documents.delete(embed.id);
      documents.set(embed.id, { document, edition, updatedAt });
      const [oldest] = documents.keys();
      if (documents.size > MAX_DOCUMENTS && oldest !== undefined) documents.delete(oldest);
      return document;
    },
  };
}

const NO_MAP = drawAreas([], { latitude: 0, longitude: 0 });
const MAP_FRESH_MS = 600_000;
const MAX_DOCUMENTS = 500;

/** Embeds and their events, from memory wherever they were read a moment ago. */

import type { Kysely } from 'kysely';
import { drawAreas } from '../city/index.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { SearchReader } from '../search/index.ts';
import type { Database } from '../store/index.ts';
import { loadCityMap } from './city-map.ts';
import { type EmbedDocument, writeEmbedDocument } from './embed-document.ts';
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

export interface EmbedSource {
  /** Null for every text that is no embed's id. */
  find(id: string): Promise<Embed | null>;
  documentOf(embed: Embed): Promise<EmbedDocument>;
}

/** `monotonic`: milliseconds that never step back. */
export function createEmbedSource({ db, search, now, publicUrl, log }: EmbedSourceOptions, monotonic: Clock): EmbedSource {
  const onFailure = (err: unknown) => log.warn({ err }, 'cannot read embeds; showing what was read before');
  const embeds = createFreshCache({ load: (id: string) => loadPublicEmbed(db, id), freshMs: FRESH_MS, monotonic, onFailure });
  const maps = createFreshCache({ load: () => loadCityMap(db), freshMs: MAP_FRESH_MS, monotonic, onFailure });
  const documents = new Map<string, { document: EmbedDocument; edition: number; updatedAt: number }>();

  return {
    find: async (id) => (ID.test(id) ? await embeds.get(id) : null),
    async documentOf(embed) {
      const snapshot = search.current();
      const { edition } = snapshot;
      const updatedAt = embed.updatedAt.getTime();
      const held = documents.get(embed.id);
      if (held?.edition === edition && held.updatedAt === updatedAt && now() < held.document.until) return held.document;
      const map = (await maps.get('')) ?? NO_MAP;
      const document = writeEmbedDocument(embed, { snapshot, now: now(), publicUrl: publicUrl(), map });
      if (documents.size >= MAX_DOCUMENTS) documents.clear();
      documents.set(embed.id, { document, edition, updatedAt });
      return document;
    },
  };
}

const NO_MAP = drawAreas([], { latitude: 0, longitude: 0 });
const ID = /^[0-9A-Za-z]{14}$/;
/** How soon a change of an embed is seen. */
const FRESH_MS = 20_000;
const MAP_FRESH_MS = 600_000;
const MAX_DOCUMENTS = 500;

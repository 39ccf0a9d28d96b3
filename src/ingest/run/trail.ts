/** `readTrail`: where each field of an event comes from, why that source won, and what the others say. */

import type { Kysely } from 'kysely';
import type { ClockFinding } from '../../identity/index.ts';
import type { Database } from '../../store/index.ts';
import type { NormalEvent } from '../normalize/index.ts';
import { type FieldTrail, mergeEvent, wordOf } from './merge-event.ts';
import { believedStart } from './plan-events.ts';
import type { StoredFacts } from './record.ts';

export interface TrailRecord {
  id: string;
  source: string;
  /** As the source names it: the same as `source` unless it passes on the listings of others. */
  provider: string;
  externalId: string;
  /** Its page at the provider. */
  url: string | null;
  firstSeenAt: number;
  /** When its source said it last; for one that is said no longer, when that was noticed. */
  confirmedAt: number;
  isGone: boolean;
  /** What was mended in it, by the fixed words of docs/normalizing.md. */
  mended: readonly string[];
}

export interface Trail {
  records: TrailRecord[];
  /** Of the present records; empty for an event of an imported bundle, which has one word only. */
  fields: FieldTrail[];
}

export async function readTrail({ store, eventId }: { store: { db: Kysely<Database> }; eventId: string }): Promise<Trail> {
  const { db } = store;
  const rows = await db
    .selectFrom('record')
    .innerJoin('source', 'source.id', 'record.source_id')
    .select(['record.id', 'source.name', 'source.trust', 'source.last_ok_at', 'external_id', 'listing', 'facts'])
    .select(['first_seen_at', 'last_seen_at', 'gone_at', 'record.starts_at', 'night', 'source_id', 'content_hash', 'own_id'])
    .where('event_id', '=', eventId)
    .orderBy('first_seen_at')
    .orderBy('record.id')
    .execute();
  const clocks = await db.selectFrom('provider_clock').select('clock').execute();
  const findings = clocks.map(({ clock }) => clock as unknown as ClockFinding);
  const records = rows.map((row): TrailRecord => {
    const listing = row.listing as Partial<NormalEvent>;
    const confirmed = row.gone_at ?? (row.facts ? row.last_ok_at : null) ?? row.last_seen_at;
    return {
      id: row.id,
      source: row.name,
      provider: (row.facts as StoredFacts | null)?.provider ?? row.name,
      externalId: row.external_id,
      url: listing.url ?? null,
      firstSeenAt: row.first_seen_at.getTime(),
      confirmedAt: confirmed.getTime(),
      isGone: row.gone_at !== null,
      mended: listing.mended ?? [],
    };
  });
  const words = rows.flatMap((row, index) => {
    const facts = row.facts as StoredFacts | null;
    const told = records[index];
    if (!facts || row.gone_at || !row.starts_at || !told) return [];
    const listing = row.listing as NormalEvent;
    const record = {
      ...{ id: row.id, ownId: row.own_id ?? eventId, targetId: eventId, firstSeenAt: told.firstSeenAt, sourceId: row.source_id },
      ...{ externalId: row.external_id, contentHash: row.content_hash, facts, listing, night: row.night ?? '' },
      startsAt: row.starts_at.getTime(),
    };
    const word = { id: row.id, provider: facts.provider, trust: row.trust, confirmedAt: told.confirmedAt };
    return wordOf(word, listing, believedStart(record, { findings }));
  });
  const fields: FieldTrail[] = [];
  if (words.length > 0) mergeEvent(words, (trail) => fields.push(trail));
  return { records, fields };
}

/** A plan into the directory: each batch is one transaction, whole or not at all, and what belongs together is in one. */

import { type Kysely, sql, type Transaction } from 'kysely';
import {
  type Change,
  type EventWrite,
  markUnconfirmed,
  mergeEvents,
  mergeVenues,
  recordChanges,
  removeEvents,
  runKey,
  type VenueWrite,
  writeEvents,
  writeVenues,
} from '../../catalog/index.ts';
import { createCityTime } from '../../city/index.ts';
import { applyEventCorrections, applyVenueCorrections, type Leads } from '../../curation/index.ts';
import type { ProviderClocks } from '../../identity/index.ts';
import { type EventRecord, formatClocks, type VenueGroup, type VenueRecord } from '../../merge/index.ts';
import type { Locate } from '../../normalize/index.ts';
import { rescoreSeries, scoreAll, type UnscoredEvent } from '../../scoring/index.ts';
import { IngestError, lockRecords } from '../../sources/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { inBatches } from './in-batches.ts';
import type { DirectoryLease } from './lease.ts';

export interface WritePlan {
  locate: Locate;
  venues: readonly VenueGroup[];
  venueMergers: readonly { id: string; into: string }[];
  events: readonly EventPiece[];
  /** Records that are kept without an event until somebody knows their place. */
  waiting: readonly EventRecord[];
  /** Events whose last record has gone; `removed` ones were never meant to be. */
  silent: readonly { eventId: string; isRemoved: boolean }[];
  gone: readonly GoneRecord[];
  clocks: ProviderClocks;
  /** Records whose pairs were looked at: open questions between them that are asked no longer are dropped. */
  lookedAt: readonly string[];
  questions: readonly { kind: 'event' | 'venue'; left: string; right: string; score: number; evidence: readonly object[] }[];
}

export interface EventPiece {
  event: EventWrite;
  /** As its sources say it, without the operator's corrections. */
  said: UnscoredEvent;
  /** Which corrections are in `event`; see `Obeyed`. */
  corrections: string;
  isRevived: boolean;
  members: readonly EventRecord[];
  /** Events that are merged into this one. */
  absorbs: readonly string[];
}

export interface GoneRecord {
  id: string;
  targetId: string | null;
}

export interface WriteContext {
  db: Kysely<Database>;
  lease: DirectoryLease;
  runId: string;
  now: number;
  timezone: string;
  /** The run of a source is refused once a later one has begun. */
  fence: { sourceId: string; value: string } | null;
  onProgress?: (done: number, of: number) => void;
}

/** Pieces that are written already are simply written again by the next run, to no effect. */
export async function writePlan(plan: WritePlan, context: WriteContext): Promise<void> {
  for (const groups of inBatches(plan.venues, venueKeys(plan), BATCH)) await writeVenueBatch(groups, plan, context);
  const pieces: Piece[] = [
    ...plan.events.map((piece) => ({
      piece,
      keys: [piece.event.id, ...piece.absorbs, ...piece.members.flatMap(({ targetId }) => targetId ?? [])],
    })),
    ...plan.waiting.map((waiting) => ({ waiting, keys: [waiting.targetId ?? waiting.id] })),
    ...plan.gone.map((gone) => ({ gone, keys: [gone.targetId ?? gone.id] })),
    ...plan.silent.map((silent) => ({ silent, keys: [silent.eventId] })),
  ];
  let done = 0;
  for (const batch of inBatches(pieces, ({ keys }) => keys, BATCH)) {
    await writeEventBatch(batch, context);
    done += batch.length;
    context.onProgress?.(done, pieces.length);
  }
  await inTransaction(context, async (trx) => {
    await writeQuestions(trx, plan, context.now);
    await writeClocks(trx, plan.clocks, context.now);
    const runs = plan.events.map(({ event }) => runKey(event.title));
    return rescoreSeries(trx, { now: context.now, day: createCityTime(context.timezone).day(context.now), runs });
  });
}

type Piece = { keys: readonly string[] } & (
  | { piece: EventPiece }
  | { waiting: EventRecord }
  | { gone: GoneRecord }
  | { silent: WritePlan['silent'][number] }
);

const venueKeys =
  ({ venueMergers }: WritePlan) =>
  ({ venue, members }: VenueGroup): string[] => [
    venue.id,
    ...members.flatMap(({ targetId }) => targetId ?? []),
    ...venueMergers.flatMap(({ id, into }) => (into === venue.id ? [id] : [])),
  ];

async function writeVenueBatch(groups: readonly VenueGroup[], plan: WritePlan, context: WriteContext): Promise<void> {
  const ids = new Set(groups.map(({ venue }) => venue.id));
  await inTransaction(context, async (trx) => {
    const revived = new Set(groups.filter(({ isRevived }) => isRevived).map(({ venue }) => venue.id));
    const mergers = plan.venueMergers.filter(({ into }) => ids.has(into));
    const changes = await writeVenues(trx, await venuesNow(trx, groups, plan.locate, { mergers, revived }), context.now, revived);
    const records = groups.flatMap(({ venue, members }) => members.map((record) => ({ record, targetId: venue.id })));
    await writeRecords(trx, 'venue', records, context);
    return [...changes, ...(await mergeVenues(trx, mergers, context.now))];
  });
}

async function writeEventBatch(batch: readonly Piece[], context: WriteContext): Promise<void> {
  const pieces = batch.flatMap((entry) => ('piece' in entry ? [entry.piece] : []));
  const gone = batch.flatMap((entry) => ('gone' in entry ? [entry.gone.id] : []));
  const silent = batch.flatMap((entry) => ('silent' in entry ? [entry.silent] : []));
  await inTransaction(context, async (trx) => {
    const { now } = context;
    const revived = new Set(pieces.filter(({ isRevived }) => isRevived).map(({ event }) => event.id));
    const mergers = pieces.flatMap(({ event, absorbs }) => absorbs.map((id) => ({ id, into: event.id })));
    const events = await eventsNow(trx, pieces, { mergers, revived }, now);
    const moment = { now, day: createCityTime(context.timezone).day(now) };
    const changes = await writeEvents(trx, events, moment, { revived });
    const records = pieces.flatMap(({ event, members }) =>
      members.map((record) => ({ record, targetId: event.id as string | null })),
    );
    records.push(...batch.flatMap((entry) => ('waiting' in entry ? [{ record: entry.waiting, targetId: null }] : [])));
    await writeRecords(trx, 'event', records, context);
    await leave(trx, gone, context);
    changes.push(...(await mergeEvents(trx, mergers, now)));
    await follow(trx, mergers);
    const removed = silent.filter(({ isRemoved }) => isRemoved).map(({ eventId }) => eventId);
    changes.push(...(await removeEvents(trx, removed, now)));
    await markUnconfirmed(
      trx,
      silent.filter(({ isRemoved }) => !isRemoved).map(({ eventId }) => eventId),
      now,
    );
    return changes;
  });
}

/** A correction made or taken back since the plan was made counts, too. */
async function venuesNow(
  trx: Transaction<Database>,
  groups: readonly VenueGroup[],
  locate: Locate,
  leads: Leads,
): Promise<VenueWrite[]> {
  const applied = await applyVenueCorrections(
    trx,
    groups.map(({ said }) => said),
    locate,
    leads,
  );
  return applied.map(({ record }) => record);
}

/** As `venuesNow`; scored anew where it makes a difference. */
async function eventsNow(
  trx: Transaction<Database>,
  pieces: readonly EventPiece[],
  leads: Leads,
  now: number,
): Promise<EventWrite[]> {
  const applied = await applyEventCorrections(
    trx,
    pieces.map(({ said }) => said),
    leads,
  );
  const late = applied.filter(({ print, record }, index) => {
    const piece = pieces[index];
    return print !== piece?.corrections || record.venueId !== piece.event.venueId;
  });
  const scored = new Map((late.length > 0 ? await scoreAll(trx, late, now) : []).map((event) => [event.id, event]));
  return pieces.map(({ event }) => scored.get(event.id) ?? event);
}

/** Checks the lease first and numbers the changes last. */
async function inTransaction(
  { db, lease, fence, now }: WriteContext,
  work: (trx: Transaction<Database>) => Promise<Change[]>,
): Promise<void> {
  await transact(db, async (trx) => {
    await lease.check(trx);
    if (fence) await checkFence(trx, fence);
    await lockRecords(trx);
    await recordChanges(trx, await work(trx), now);
  });
}

async function checkFence(trx: Transaction<Database>, { sourceId, value }: { sourceId: string; value: string }): Promise<void> {
  const { rows } = await sql`select from source where id = ${sourceId} and fence = ${value} for share`.execute(trx);
  if (rows.length === 0)
    throw new IngestError('run_superseded', 'a later run of this source has started; nothing more was written');
}

interface RecordRow {
  record: EventRecord | VenueRecord;
  targetId: string | null;
}

/** Those that this run brought are written whole, with what they said before kept for an undo; the others only change their target. */
async function writeRecords(
  trx: Transaction<Database>,
  kind: 'event' | 'venue',
  rows: readonly RecordRow[],
  { runId, now }: WriteContext,
): Promise<void> {
  const target = sql.ref(`${kind}_id`);
  const isBrought = ({ record }: RecordRow) => ('isChanged' in record ? record.isChanged : record.listing !== null);
  const brought = rows.filter(isBrought);
  const moved = rows.filter((row) => !isBrought(row) && row.record.targetId !== row.targetId);
  if (moved.length > 0) {
    const ids = moved.map(({ record }) => record.id);
    const targets = moved.map(({ targetId }) => targetId);
    await sql`
      update record set ${target} = r.target_id, own_id = coalesce(record.own_id, r.own_id)
      from unnest(${ids}::uuid[], ${targets}::uuid[], ${moved.map(({ record }) => record.ownId)}::uuid[]) as r (id, target_id, own_id)
      where record.id = r.id`.execute(trx);
  }
  if (brought.length === 0) return;
  await keepBefore(
    trx,
    runId,
    brought.map(({ record }) => record.id),
  );
  const values = brought.map(({ record, targetId }) => ({
    id: record.id,
    source_id: record.sourceId,
    external_id: record.externalId,
    target_id: targetId,
    own_id: record.ownId,
    content_hash: record.contentHash,
    listing: record.listing,
    facts: 'facts' in record ? record.facts : null,
    night: 'night' in record ? record.night : null,
    starts_at: 'startsAt' in record ? new Date(record.startsAt).toISOString() : null,
    first_seen_at: new Date(record.firstSeenAt).toISOString(),
  }));
  await sql`
    insert into record (id, source_id, kind, external_id, ${target}, own_id, content_hash, listing, facts, night, starts_at,
      first_seen_at, last_seen_at)
    select id, source_id, ${kind}, external_id, target_id, own_id, content_hash, listing, facts, night, starts_at, first_seen_at,
      ${new Date(now).toISOString()}
    from json_to_recordset(${JSON.stringify(values)}::json) as r (id uuid, source_id uuid, external_id text, target_id uuid,
      own_id uuid, content_hash text, listing jsonb, facts jsonb, night date, starts_at timestamptz, first_seen_at timestamptz)
    on conflict (source_id, kind, external_id) do update set ${target} = excluded.${target}, own_id = excluded.own_id,
      content_hash = excluded.content_hash, listing = excluded.listing, facts = excluded.facts, night = excluded.night,
      starts_at = excluded.starts_at, last_seen_at = excluded.last_seen_at, gone_at = null`.execute(trx);
}

/** Records of a merged event that have gone belong to the survivor, too: it is what they are when they come back. */
async function follow(trx: Transaction<Database>, mergers: readonly { id: string; into: string }[]): Promise<void> {
  if (mergers.length === 0) return;
  const [ids, into] = [mergers.map(({ id }) => id), mergers.map((merger) => merger.into)];
  await sql`
    update record set event_id = r.into_id from unnest(${ids}::uuid[], ${into}::uuid[]) as r (id, into_id)
    where record.event_id = r.id`.execute(trx);
}

async function leave(trx: Transaction<Database>, ids: readonly string[], { runId, now }: WriteContext): Promise<void> {
  if (ids.length === 0) return;
  await keepBefore(trx, runId, ids);
  await sql`update record set gone_at = ${new Date(now)} where id = any(${ids}::uuid[])`.execute(trx);
}

/** What the records say until now, once per run; a record that is not there yet has said nothing. */
async function keepBefore(trx: Transaction<Database>, runId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into run_record (run_id, record_id, before)
    select ${runId}, r.id, case when record.id is null then null else
      jsonb_build_object('hash', content_hash, 'listing', listing, 'facts', facts, 'night', night, 'startsAt', starts_at, 'goneAt', gone_at) end
    from unnest(${ids}::uuid[]) as r (id) left join record on record.id = r.id
    on conflict (run_id, record_id) do nothing`.execute(trx);
}

/** What is known of the providers' clocks from now on. */
async function writeClocks(trx: Transaction<Database>, { findings }: ProviderClocks, now: number): Promise<void> {
  const lines = new Map(
    findings.map((finding) => [finding.provider, { ...finding, line: formatClocks({ findings: [finding] }) }]),
  );
  await sql`delete from provider_clock where not provider = any(${[...lines.keys()]}::text[])`.execute(trx);
  for (const [provider, clock] of lines) {
    await sql`
      insert into provider_clock (provider, clock, found_at) values (${provider}, ${JSON.stringify(clock)}::jsonb, ${new Date(now)})
      on conflict (provider) do update set clock = excluded.clock where provider_clock.clock ->> 'line' <> excluded.clock ->> 'line'`.execute(
      trx,
    );
  }
}

/** A pair that has been asked keeps its question, its answer too. */
async function writeQuestions(trx: Transaction<Database>, { questions, lookedAt }: WritePlan, now: number): Promise<void> {
  const rows = questions.map(({ kind, left, right, score, evidence }) => {
    const [first, second] = left < right ? [left, right] : [right, left];
    return { kind, left_id: first, right_id: second, score, evidence };
  });
  await sql`
    insert into question (id, kind, left_id, right_id, score, evidence, asked_at)
    select gen_random_uuid(), kind, left_id, right_id, score, evidence, ${new Date(now).toISOString()}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (kind text, left_id uuid, right_id uuid, score real, evidence jsonb)
    where exists (select from record where id = left_id) and exists (select from record where id = right_id)
    on conflict (left_id, right_id) do update set score = excluded.score, evidence = excluded.evidence
      where question.settled_at is null and question.score <> excluded.score`.execute(trx);
  await sql`
    delete from question where settled_at is null and left_id = any(${lookedAt}::uuid[]) and right_id = any(${lookedAt}::uuid[])
      and not (left_id, right_id) in (select left_id, right_id from json_to_recordset(${JSON.stringify(rows)}::json)
        as r (left_id uuid, right_id uuid))`.execute(trx);
}

/** Records of the directory in one transaction: larger ones gain nothing and hold others up longer. */
const BATCH = 500;

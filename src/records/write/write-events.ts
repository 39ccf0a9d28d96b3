/** Writing events in bulk: a batch is compared with what is held, and only what differs is written and told. */

import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { type Database, inPieces } from '../../store/index.ts';
import { previousValues } from '../changes/compare-fields.ts';
import { EVENT_FIELDS, type Event, type EventFields, storedEventFields } from '../event-fields.ts';
import { changeFields, storedRows } from '../field-table.ts';
import { type Change, type ChangeKind, indexedWords, type RecordState, type Signal } from '../model.ts';
import { runKey } from '../run-key.ts';
import { lockStoredEvents, type StoredEvent } from '../stored-records.ts';
import { assignSlugs } from './slug.ts';

/** What ranking says of an event. */
export interface Scored {
  /** 0–100. */
  discoveryScore: number;
  /** Which of the coming events of its program it is, from 1; a score is explained by it and by the context. */
  showing: number;
  /** What else of the directory the score was computed of, in small integers. */
  context: readonly number[];
  /** What trends follow. */
  appeal: number;
}

/** `isHidden`: the operator does not want it published. */
export type EventWrite = Omit<Event, 'slug'> & Scored & { isHidden?: boolean };

/** `now`: of the writing and of the scores, in milliseconds since 1970 UTC; `day`: the local one (`YYYY-MM-DD`). */
export interface WriteMoment {
  now: number;
  day: string;
}

interface WriteRules {
  revived?: ReadonlySet<string>;
  fresh?: ReadonlySet<string>;
  keepsStanding?: boolean;
}

/**
 * Creates and updates events inside a transaction; a score that stood on a day before is in the history from now on. Returns what
 * changed, for `recordChanges` as the transaction's last act: an event that was removed is created again, one that differs by its
 * score alone is `scored`, one that does not differ is not written. One that was merged stays so unless it is among the `revived`,
 * which stand for themselves again. What is written was just said by a source, unless it `keepsStanding`: then an event that is
 * unconfirmed or unlisted stays so. `fresh` are ids that no event has yet: nothing is read of them.
 */
export async function writeEvents(
  trx: Transaction<Database>,
  events: readonly EventWrite[],
  moment: WriteMoment,
  { revived = NONE, fresh = NONE, keepsStanding = false }: WriteRules = {},
): Promise<Change[]> {
  if (events.length === 0) return [];
  const held = await lockStoredEvents(
    trx,
    events.map(({ id }) => id).filter((id) => !fresh.has(id)),
  );
  const changed = events.flatMap((event) => {
    const before = held.get(event.id);
    const previous = before && previousValues<EventFields>(before.fields, event, SHOWN_FIELDS);
    const kind = changeKind(event, before, previous !== undefined, revived.has(event.id), keepsStanding);
    return kind ? [{ event, kind, previous }] : [];
  });
  const slugs = await assignSlugs(
    trx,
    'event',
    changed
      .filter(({ event }) => held.get(event.id)?.fields.title !== event.title)
      .map(({ event }) => ({ id: event.id, title: event.title, current: held.get(event.id)?.slug ?? null })),
  );
  const rescored = events.filter((event) => isRescored(event, held.get(event.id)));
  await keepPast(trx, rescored, moment.day);
  const slugOf = (id: string) => slugs.get(id) ?? held.get(id)?.slug ?? '';
  // Looking for a conflict at each row costs a tenth more, and of a first import no row has one.
  for (const [isHeld, some] of Map.groupBy(changed, ({ event }) => held.has(event.id))) {
    await inPieces(some, (piece) => {
      const rows = piece.map(({ event }) => ({ ...event, slug: slugOf(event.id) }));
      return insertEvents(trx, rows, moment, { isHeld, keepsStanding });
    });
  }
  const written = new Set(changed.map(({ event }) => event.id));
  await putAppeals(
    trx,
    rescored.filter(({ id }) => !written.has(id)),
    moment.day,
  );
  return changed.map(({ event, kind, previous }): Change => {
    const before = held.get(event.id);
    const change = { kind, entity: 'event', entityId: event.id } as const;
    if (!before || !TELLS_PREVIOUS.has(kind)) return change;
    const slug = slugOf(event.id);
    return {
      ...change,
      previous: {
        ...previous,
        ...(slug !== before.slug && { slug: before.slug }),
        ...(event.discoveryScore !== before.score && { discoveryScore: before.score }),
      },
    };
  });
}

/** Adds observations; one of the same kind and moment is replaced. */
export async function writeSignals(
  trx: Transaction<Database>,
  signals: readonly (Signal & { eventId: string })[],
): Promise<void> {
  if (signals.length === 0) return;
  const latest = new Map(signals.map((signal) => [`${signal.eventId} ${signal.kind} ${signal.observedAt}`, signal]));
  const rows = [...latest.values()].map(({ eventId, kind, observedAt, value }) => ({
    event_id: eventId,
    kind,
    observed_at: new Date(observedAt).toISOString(),
    value,
  }));
  await sql`
    insert into signal (event_id, kind, observed_at, value)
    select event_id, kind, observed_at, value
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (event_id uuid, kind text, observed_at timestamptz, value double precision)
    on conflict (event_id, kind, observed_at) do update set value = excluded.value where signal.value <> excluded.value`.execute(
    trx,
  );
}

/** New scores of events, and what they were computed of, in the manner of `writeEvents`. Returns the changes. */
export async function writeScores(
  trx: Transaction<Database>,
  scores: readonly (Scored & { id: string })[],
  { now, day }: WriteMoment,
): Promise<Change[]> {
  if (scores.length === 0) return [];
  await keepPast(trx, scores, day);
  const ids = scores.map(({ id }) => id);
  const values = scores.map(({ discoveryScore }) => discoveryScore);
  const showings = scores.map(({ showing }) => showing);
  const contexts = scores.map(({ context }) => `{${context.join(',')}}`);
  const appeals = scores.map(({ appeal }) => appeal);
  const { rows } = await sql<{ id: string; score: number }>`
    update event set discovery_score = r.score, showing = r.showing, score_context = r.context::smallint[],
      scored_at = ${new Date(now)}, appeal = r.appeal,
      scored_day = greatest(scored_day, ${day}::date)
    from unnest(${ids}::uuid[], ${values}::smallint[], ${showings}::integer[], ${appeals}::real[], ${contexts}::text[])
        as r (id, score, showing, appeal, context)
      join (select id, discovery_score from event where id = any(${ids}::uuid[])) as stored on stored.id = r.id
    where event.id = r.id
    returning event.id, stored.discovery_score as score`.execute(trx);
  const before = new Map(rows.map(({ id, score }) => [id, score]));
  return scores.flatMap(({ id, discoveryScore }): Change[] => {
    const score = before.get(id);
    if (score === undefined || score === discoveryScore) return [];
    return [{ kind: 'scored', entity: 'event', entityId: id, previous: { discoveryScore: score } }];
  });
}

/** Takes events out of the directory; their ids answer "gone" from now on. Returns the changes. */
export async function removeEvents(trx: Transaction<Database>, ids: readonly string[], now: number): Promise<Change[]> {
  if (ids.length === 0) return [];
  const removed = await trx
    .updateTable('event')
    .set({ state: 'removed', updated_at: new Date(now) })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('state', 'in', ['published', 'unlisted', 'hidden'])
    .returning('id')
    .execute();
  return removed.map(({ id }) => ({ kind: 'removed', entity: 'event', entityId: id }));
}

/** What stands of events goes into the history when a new day takes its place; the latest of a day stays. Locks the events. */
async function keepPast(trx: Transaction<Database>, events: readonly { id: string }[], day: string): Promise<void> {
  if (events.length === 0) return;
  const ids = events.map(({ id }) => id);
  await sql`
    insert into score_history (event_id, day, discovery_score, appeal)
    select id, scored_day, discovery_score, appeal from (
      select * from event where id = any(${ids}::uuid[]) order by id for update) as event
    where scored_day < ${day}::date`.execute(trx);
}

/** Of events that are as they were otherwise. */
async function putAppeals(
  trx: Transaction<Database>,
  events: readonly { id: string; appeal: number }[],
  day: string,
): Promise<void> {
  if (events.length === 0) return;
  const ids = events.map(({ id }) => id);
  const appeals = events.map(({ appeal }) => appeal);
  await sql`
    update event set appeal = r.appeal, scored_day = greatest(scored_day, ${day}::date)
    from unnest(${ids}::uuid[], ${appeals}::real[]) as r (id, appeal) where event.id = r.id`.execute(trx);
}

function changeKind(
  event: EventWrite,
  held: StoredEvent | undefined,
  differs: boolean,
  isRevived: boolean,
  keepsStanding: boolean,
): ChangeKind | null {
  if (held?.state === 'merged' && !isRevived) return null;
  if (event.isHidden) return changeKindOfHidden(held, differs);
  if (!held || !ANSWERING_STATES.has(held.state)) return 'created';
  if (held.state === 'unlisted' && !keepsStanding) return 'created';
  if (event.status === 'cancelled' && held.fields.status !== 'cancelled') return 'cancelled';
  if (event.startsAt !== held.fields.startsAt) return 'rescheduled';
  // The same facts, said again after a silence.
  if (held.isUnconfirmed && !keepsStanding) return 'updated';
  if (differs) return 'updated';
  return isShownTheSame(event, held) ? null : 'scored';
}

/** Links are on pages alone: whoever follows the change log need not hear of them. */
function isShownTheSame(event: EventWrite, { score, fields }: StoredEvent): boolean {
  return event.discoveryScore === score && isDeepStrictEqual(event.links ?? [], fields.links ?? []);
}

function changeKindOfHidden(held: StoredEvent | undefined, differs: boolean): ChangeKind | null {
  if (!held || ANSWERING_STATES.has(held.state)) return 'removed';
  return held.state === 'hidden' && !differs ? null : 'updated';
}

/** Its appeal counts, too: trends are made of it. The store keeps it with less digits. */
function isRescored(event: EventWrite, held: StoredEvent | undefined): boolean {
  if (!held) return false;
  const isAsBefore = held.appeal !== null && Math.fround(held.appeal) === Math.fround(event.appeal);
  return event.discoveryScore !== held.score || !isAsBefore;
}

type EventRowWrite = EventWrite & Pick<Event, 'slug'>;

/** Events that are held already, or such as are not. */
async function insertEvents(
  trx: Transaction<Database>,
  events: readonly EventRowWrite[],
  { now, day }: WriteMoment,
  { isHeld, keepsStanding }: { isHeld: boolean; keepsStanding: boolean },
): Promise<void> {
  const moment = new Date(now).toISOString();
  const rows = events.map((event) => ({
    id: event.id,
    slug: event.slug,
    ...toRow(event),
    discovery_score: event.discoveryScore,
    appeal: event.appeal,
    words: indexedWords(event.title, event.slug),
    run: runKey(event.title),
    showing: event.showing,
    score_context: event.context,
    state: event.isHidden ? 'hidden' : 'published',
  }));
  await sql`
    insert into event (id, slug, ${columns}, discovery_score, appeal, words, run, showing, score_context, state, scored_day, scored_at,
      created_at, updated_at)
    select id, slug, ${columns}, discovery_score, appeal, words, run, showing, score_context, state, ${day}, ${moment}, ${moment}, ${moment}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, slug text, ${definitions}, discovery_score smallint, appeal real,
      words text, run text, showing integer, score_context smallint[], state text)
    ${isHeld ? onHeld(keepsStanding) : sql``}`.execute(trx);
}

/** What is written over an event that is held. */
function onHeld(keepsStanding: boolean): RawBuilder<unknown> {
  const standing = keepsStanding
    ? sql`case when event.state = 'unlisted' and excluded.state = 'published' then 'unlisted' else excluded.state end, merged_into = null`
    : sql`excluded.state, merged_into = null, unconfirmed_since = null`;
  return sql`
    on conflict (id) do update set slug = excluded.slug, ${updates}, previous_starts_at = ${PREVIOUS_START},
      discovery_score = excluded.discovery_score, appeal = excluded.appeal, words = excluded.words, run = excluded.run,
      showing = excluded.showing, score_context = excluded.score_context, scored_at = excluded.scored_at, scored_day = ${SCORED_DAY}, revision = ${REVISION},
      state = ${standing}, updated_at = excluded.updated_at`;
}

const NONE: ReadonlySet<string> = new Set();
/** The id of such an event is answered with the event. */
const ANSWERING_STATES: ReadonlySet<RecordState> = new Set<RecordState>(['published', 'unlisted']);
const { columns, definitions, updates, toRow } = storedEventFields;
/** Links are on pages alone. */
const SHOWN_FIELDS = changeFields<EventFields>(storedRows(EVENT_FIELDS));
/** What is created anew or taken away is not compared with what was. */
const TELLS_PREVIOUS: ReadonlySet<ChangeKind> = new Set(['updated', 'cancelled', 'rescheduled', 'scored']);
/** Counts the changes that somebody with the event in a calendar must hear of. Calendars told the merger as one more: what comes back is later. */
const REVISION = sql`event.revision + case when event.state = 'merged' then 2 when (event.starts_at, event.ends_at, event.precision, event.venue_id, event.status)
  is distinct from (excluded.starts_at, excluded.ends_at, excluded.precision, excluded.venue_id, excluded.status) then 1 else 0 end`;
/** The start before the last move, for as long as the event is not created again. */
const PREVIOUS_START = sql`case when event.state = 'removed' then null
  when event.starts_at is distinct from excluded.starts_at then event.starts_at else event.previous_starts_at end`;
/** The day of a score that stands as it was stays. */
const SCORED_DAY = sql`case when (event.discovery_score, event.appeal) is distinct from (excluded.discovery_score, excluded.appeal)
  then greatest(event.scored_day, excluded.scored_day) else event.scored_day end`;

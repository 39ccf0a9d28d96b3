/** What has happened to an event or venue: who or what did it, when, and what was before. */

import { type Kysely, sql } from 'kysely';
import { EVENT_FIELDS, loadChangesOf, loadMergedInto, rowsOf, type StartPrecision, VENUE_FIELDS } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import type { CorrectedEntity } from '../decisions/active-corrections.ts';
import { type ListedChange, loadListedChanges } from '../records/load-listings.ts';
import { recordsOf, titlesOf } from '../records/relations.ts';

export interface HistoryChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** What a listing says otherwise than before. */
export interface ListedValue extends HistoryChange {
  /** Of a start or an end: how much of it the listing knew. */
  precision?: { before: StartPrecision; after: StartPrecision };
}

interface Common {
  /** Milliseconds. */
  at: number;
}

interface Worded {
  by: string;
  note: string | null;
  changes: HistoryChange[];
}

interface Decided {
  by: string;
  note: string | null;
  verdict: 'same' | 'different';
  /** The act by hand that it belongs to; null for an answer to a review candidate. */
  act: string | null;
  /** Whether it still stands. */
  stands: boolean;
  /** Titles of the listings, with their sources. */
  listings: { title: string; source: string }[];
}

interface Listed {
  run: string;
  runKind: string;
  runState: string;
  source: string;
  externalId: string;
  what: 'new' | 'changed' | 'gone' | 'back';
  changes: ListedValue[];
}

export type HistoryEntry = Common &
  (
    | ({ kind: 'corrected' } & Worded)
    | ({ kind: 'uncorrected' } & Worded)
    | ({ kind: 'decided' } & Decided)
    | ({ kind: 'undecided' } & Decided)
    | ({ kind: 'listed' } & Listed)
    | { kind: 'told'; change: string; seq: number }
  );

/** The newest first, at most `limit`. Runs are told as long as they are kept; scores alone are not told. */
export async function readHistory(options: {
  store: { db: Kysely<Database> };
  entity: CorrectedEntity;
  id: string;
  limit?: number;
}): Promise<HistoryEntry[]> {
  const { entity, id, limit = MOST } = options;
  const { db } = options.store;
  const ids = [id, ...(await loadMergedInto(db, entity, id))];
  const parts = await Promise.all([
    corrections(db, entity, ids, limit),
    decisions(db, entity, id, limit),
    listings(db, entity, id, limit),
    changes(db, id, limit),
  ]);
  const entries = parts.flat();
  // Of one moment the act comes last: what it caused stands above it.
  return entries.sort((a, b) => b.at - a.at || RANK[a.kind] - RANK[b.kind]).slice(0, limit);
}

/** Words given in one moment are one entry. */
async function corrections(
  db: Kysely<Database>,
  entity: CorrectedEntity,
  ids: readonly string[],
  limit: number,
): Promise<HistoryEntry[]> {
  const rows = await db
    .selectFrom('correction')
    .selectAll()
    .where('entity', '=', entity)
    .where('target_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('made_at', 'desc')
    .limit(limit)
    .execute();
  const given = Map.groupBy(rows, ({ made_at, made_by, note }) => JSON.stringify([made_at.getTime(), made_by, note]));
  const entries: HistoryEntry[] = [...given.values()].flatMap((together) => {
    const [first] = together;
    if (!first) return [];
    const told = together.map(({ field, before, value }) => ({ field, before: before as unknown, after: value as unknown }));
    return [{ kind: 'corrected' as const, at: first.made_at.getTime(), by: first.made_by, note: first.note, changes: told }];
  });
  // A correction that another replaces is undone in the same moment.
  const replaced = new Set(rows.map((row) => `${row.target_id} ${row.field} ${row.made_at.getTime()}`));
  const taken = rows.filter(
    ({ revoked_at, target_id, field }) => revoked_at && !replaced.has(`${target_id} ${field} ${revoked_at.getTime()}`),
  );
  for (const { revoked_at, revoked_by, field, value } of taken) {
    const change = { field, before: value as unknown, after: null };
    entries.push({ kind: 'uncorrected', at: revoked_at?.getTime() ?? 0, by: revoked_by ?? '', note: null, changes: [change] });
  }
  return entries;
}

async function decisions(db: Kysely<Database>, entity: CorrectedEntity, id: string, limit: number): Promise<HistoryEntry[]> {
  const { rows } = await sql<{
    act: string | null;
    pair: string;
    verdict: 'same' | 'different';
    by: string;
    at: Date;
    revoked_at: Date | null;
    note: string | null;
    listings: { title: string; source: string }[];
  }>`
    with own as ${recordsOf(entity, id)}
    select decision.act_id as act, decision.id as pair, verdict, decided_by as by, decided_at as at, revoked_at, note,
      ${titlesOf('left_id', 'right_id')} as listings
    from decision where decision.kind = ${entity} and (left_id in (select id from own) or right_id in (select id from own))
    order by decided_at desc limit ${limit}`.execute(db);
  const acts = Map.groupBy(rows, ({ act, pair }) => act ?? pair);
  return [...acts.values()].flatMap((together): HistoryEntry[] => {
    const [first] = together;
    if (!first) return [];
    const { act, verdict, by, note } = first;
    const named = together.flatMap((row) => row.listings ?? []);
    const listings = [...new Map(named.map((each) => [`${each.source}\n${each.title}`, each])).values()];
    const stands = together.some(({ revoked_at }) => revoked_at === null);
    const told = { by, note, verdict, act, stands, listings };
    const revoked = together.flatMap(({ revoked_at }) => revoked_at?.getTime() ?? []);
    const decided: HistoryEntry = { kind: 'decided', at: first.at.getTime(), ...told };
    return stands || revoked.length === 0
      ? [decided]
      : [decided, { kind: 'undecided', at: Math.max(...revoked), ...told, by: '' }];
  });
}

/** What each run found otherwise than the one before. */
async function listings(db: Kysely<Database>, entity: CorrectedEntity, id: string, limit: number): Promise<HistoryEntry[]> {
  const after = new Map<string, ListedChange['before']>();
  return (await loadListedChanges(db, entity, id, limit)).map((row): HistoryEntry => {
    const then = after.get(row.recordId) ?? { listing: row.listing, goneAt: row.goneAt?.toISOString() ?? null };
    if (row.before) after.set(row.recordId, row.before);
    const { before, run } = row;
    return {
      kind: 'listed',
      at: run.startedAt.getTime(),
      run: run.id,
      runKind: run.kind,
      runState: run.state,
      source: row.source,
      externalId: row.externalId,
      what: whatBecame(before, then),
      changes: before === null ? [] : difference(before.listing ?? {}, then.listing ?? {}),
    };
  });
}

function whatBecame(before: ListedChange['before'], then: NonNullable<ListedChange['before']>): Listed['what'] {
  if (before === null) return 'new';
  if (before.goneAt === null && then.goneAt !== null) return 'gone';
  return before.goneAt !== null && then.goneAt === null ? 'back' : 'changed';
}

function difference(before: Record<string, unknown>, after: Record<string, unknown>): ListedValue[] {
  const precision = { before: precisionOf(before), after: precisionOf(after) };
  return [...TOLD_FIELDS].flatMap((field) => {
    const [was, is] = [before[field] ?? null, after[field] ?? null];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return [{ field, before: was, after: is, ...(CLOCK_FIELDS.has(field) && { precision }) }];
  });
}

const precisionOf = ({ precision = 'time' }: Record<string, unknown>): StartPrecision => precision as StartPrecision;

async function changes(db: Kysely<Database>, id: string, limit: number): Promise<HistoryEntry[]> {
  const rows = await loadChangesOf(db, id, limit);
  return rows.map(({ seq, at, kind }) => ({ kind: 'told', at, change: kind, seq }));
}

const CLOCK_FIELDS: ReadonlySet<string> = new Set(['startsAt', 'endsAt']);
const MOST = 100;
const RANK: Readonly<Record<HistoryEntry['kind'], number>> = {
  told: 0,
  listed: 1,
  undecided: 2,
  uncorrected: 3,
  decided: 4,
  corrected: 5,
};
/** Follow from other facts, or from who lists it. */
const NOT_TOLD: ReadonlySet<string> = new Set(['venueId', 'sources', 'links', 'neighborhood', 'locationPrecision']);
/** Of listings: the facts of events and venues, and the page of the listing. */
const TOLD_FIELDS: ReadonlySet<string> = new Set(
  [...rowsOf(EVENT_FIELDS), ...rowsOf(VENUE_FIELDS)]
    .flatMap(({ field, column }) => (column === undefined || NOT_TOLD.has(field) ? [] : [field]))
    .concat('url'),
);

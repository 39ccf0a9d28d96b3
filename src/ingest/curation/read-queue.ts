/** The review queue as one person works through it: one candidate, where it stands, and what was answered last. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import { companionsOf, LISTED_RECORDS, PRESENT_RECORDS, RECORD_TITLES } from '../records/relations.ts';
import { type CandidateSide, IS_ASKED, type OpenCandidate } from './review-candidates.ts';

type Db = Kysely<Database>;
type Store = { db: Db };

export interface QueueSide extends CandidateSide {
  /** 0–1. */
  trust: number;
  firstSeenAt: number;
  /** Sources of the other listings that are the same event or venue already. */
  companions: string[];
}

export interface QueuedCandidate extends Omit<OpenCandidate, 'left' | 'right'> {
  left: QueueSide;
  right: QueueSide;
}

export interface Queue {
  /** At most as many as are counted. */
  total: number;
  /** There are more than `total`. */
  isMore: boolean;
  /** From 1; of `candidate`. Null beyond those that are counted. */
  position: number | null;
  candidate: QueuedCandidate | null;
  /** The one after it; after the last comes the first. Null when there is no other. */
  nextId: string | null;
}

/**
 * The likeliest "same" first. `at`: the candidate to show; the first when it is open no longer, or absent. `counted`: how many are
 * counted at most, for each costs a look at two records.
 */
export async function readQueue({
  store: { db },
  at,
  counted = MAX_COUNTED,
}: {
  store: Store;
  at?: string | null;
  counted?: number;
}): Promise<Queue> {
  const first = await readOpen(db, counted + 1);
  const asked = first.find(({ id }) => id === at) ?? (await readOpenOne(db, at ?? '')) ?? first[0];
  const [next] = asked ? await readOpen(db, 1, asked) : [];
  const nextId = next?.id ?? first[0]?.id ?? null;
  const index = first.findIndex(({ id }) => id === asked?.id);
  return {
    total: Math.min(first.length, counted),
    isMore: first.length > counted,
    position: index < counted ? index + 1 || null : null,
    candidate: asked ? await readCandidate(db, asked.id) : null,
    nextId: nextId === asked?.id ? null : nextId,
  };
}

/** How many wait, as far as they are counted. */
export async function countCandidates({ store }: { store: Store }): Promise<{ total: number; isMore: boolean }> {
  const open = await readOpen(store.db, MAX_COUNTED + 1);
  return { total: Math.min(open.length, MAX_COUNTED), isMore: open.length > MAX_COUNTED };
}

interface Place {
  score: number;
  id: string;
}

/** In order, from the first on, or from the one after `after`. */
async function readOpen(db: Db, limit: number, after?: Place): Promise<Place[]> {
  const from = after ? sql`and (score < ${after.score}::real or score = ${after.score}::real and id > ${after.id})` : sql``;
  const { rows } = await sql<Place>`
    select open.id, score from (select * from question where settled_at is null ${from} order by score desc, id) as open
      join ${PRESENT_RECORDS} as l on l.id = left_id
      join ${PRESENT_RECORDS} as r on r.id = right_id
    where ${IS_ASKED}
    order by score desc, open.id limit ${limit}`.execute(db);
  return rows;
}

async function readOpenOne(db: Db, id: string): Promise<Place | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql<Place>`
    select question.id, score from question
      join ${PRESENT_RECORDS} as l on l.id = left_id
      join ${PRESENT_RECORDS} as r on r.id = right_id
    where question.id = ${id} and settled_at is null
      and ${IS_ASKED}`.execute(db);
  return rows[0];
}

async function readCandidate(db: Db, id: string): Promise<QueuedCandidate | null> {
  const { rows } = await sql<{ at: Date } & Omit<QueuedCandidate, 'askedAt'>>`
    select question.id, question.kind, score, evidence, asked_at as at, ${side('l')} as left, ${side('r')} as right
    from question
      join ${LISTED_RECORDS} as l on l.id = left_id
      join ${LISTED_RECORDS} as r on r.id = right_id
    where question.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { at, left, right, ...candidate } = row;
  const dated = (each: QueueSide): QueueSide => ({ ...each, firstSeenAt: Date.parse(String(each.firstSeenAt)) });
  return { ...candidate, askedAt: at.getTime(), left: dated(left), right: dated(right) };
}

const side = (record: string) => sql`json_build_object(
  'recordId', ${sql.ref(`${record}.id`)}, 'source', ${sql.ref(`${record}.source`)}, 'trust', ${sql.ref(`${record}.trust`)},
  'externalId', ${sql.ref(`${record}.external_id`)}, 'firstSeenAt', ${sql.ref(`${record}.first_seen_at`)},
  'targetId', ${sql.ref(`${record}.target_id`)}, 'listing', ${sql.ref(`${record}.listing`)}, 'companions', ${companionsOf(record)})`;

export interface DecidedPair {
  /** Of the decision. */
  id: string;
  kind: 'event' | 'venue';
  verdict: 'same' | 'different';
  by: string;
  at: number;
  left: { recordId: string; title: string };
  right: { recordId: string; title: string };
}

/** The last decision of a person about two listings; what was decided together with others by hand is no answer. */
export function readLastAnswer({ store, by }: { store: Store; by: string }): Promise<DecidedPair | null> {
  return readAnswer(store, sql`decided_by = ${by} and act_id is null`);
}

/** The decision about the two listings of a candidate; null when there is none, or no such candidate. */
export async function readAnswerTo({ store, candidate }: { store: Store; candidate: string }): Promise<DecidedPair | null> {
  const asked = await loadCandidatePair({ store, id: candidate });
  return asked ? readAnswer(store, sql`left_id = ${asked.left} and right_id = ${asked.right}`) : null;
}

/** The two listings of a candidate, open or settled; null for an unknown id. */
export async function loadCandidatePair({
  store,
  id,
}: {
  store: Store;
  id: string;
}): Promise<{ left: string; right: string } | null> {
  if (!isUuid(id)) return null;
  const asked = await store.db
    .selectFrom('question')
    .select(['left_id as left', 'right_id as right'])
    .where('id', '=', id)
    .executeTakeFirst();
  return asked ?? null;
}

/** The open candidate about two listings. */
export async function findCandidate({
  store,
  left,
  right,
}: {
  store: Store;
  left: string;
  right: string;
}): Promise<string | null> {
  const found = await store.db
    .selectFrom('question')
    .select('id')
    .where('left_id', '=', left)
    .where('right_id', '=', right)
    .where('settled_at', 'is', null)
    .executeTakeFirst();
  return found?.id ?? null;
}

async function readAnswer({ db }: Store, which: ReturnType<typeof sql>): Promise<DecidedPair | null> {
  const { rows } = await sql<Omit<DecidedPair, 'at'> & { at: Date }>`
    select decision.id, decision.kind, verdict, decided_by as by, decided_at as at,
      json_build_object('recordId', left_id, 'title', l.title) as left, json_build_object('recordId', right_id, 'title', r.title) as right
    from decision join ${RECORD_TITLES} as l on l.id = left_id join ${RECORD_TITLES} as r on r.id = right_id
    where revoked_at is null and ${which} order by decided_at desc, decision.id desc limit 1`.execute(db);
  const [row] = rows;
  return row ? { ...row, at: row.at.getTime() } : null;
}

const MAX_COUNTED = 300;

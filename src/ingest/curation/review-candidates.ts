/** The review queue: pairs of listings about which a person is asked, and the answers, which every later run respects. */

import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { checkNote, type Evidence, isRefusal } from '../../facts/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import { IngestError } from '../ingest-error.ts';
import { applyManualChanges, type ManualChangeResult } from '../manual-changes.ts';
import { loadRecordKinds } from '../records/load-listings.ts';
import { LISTED_RECORDS } from '../records/relations.ts';

type Store = { db: Kysely<Database> };

export interface CandidateSide {
  recordId: string;
  source: string;
  externalId: string;
  /** The event or venue that the record is now. */
  targetId: string | null;
  /** As its source says it, normalized. */
  listing: object;
}

export interface OpenCandidate {
  id: string;
  kind: 'event' | 'venue';
  /** 0–1: how much speaks for "same". */
  score: number;
  evidence: readonly Evidence[];
  askedAt: number;
  left: CandidateSide;
  right: CandidateSide;
}

/** Open candidates, the likeliest "same" first. Pairs that have become one by other ways, or whose listings are gone, are asked no longer. */
export async function listCandidates({ store, limit = 50 }: { store: Store; limit?: number }): Promise<OpenCandidate[]> {
  const { rows } = await sql<{
    id: string;
    kind: 'event' | 'venue';
    score: number;
    evidence: Evidence[];
    asked_at: Date;
    left: CandidateSide;
    right: CandidateSide;
  }>`
    select question.id, question.kind, score, evidence, asked_at, ${side('l')} as left, ${side('r')} as right
    from question
      join ${LISTED_RECORDS} as l on l.id = left_id and l.is_present
      join ${LISTED_RECORDS} as r on r.id = right_id and r.is_present
    where settled_at is null and ${IS_ASKED}
    order by score desc, question.id limit ${limit}`.execute(store.db);
  return rows.map(({ asked_at, ...row }) => ({ ...row, askedAt: asked_at.getTime() }));
}

/** Of a `question` with its records `l` and `r`: they are not one, or are one by a decision that was taken back. */
export const IS_ASKED = sql`(l.target_id is distinct from r.target_id or exists (
  select from decision where decision.left_id = l.id and decision.right_id = r.id and is_pending))`;

const side = (
  record: string,
) => sql`json_build_object('recordId', ${sql.ref(`${record}.id`)}, 'source', ${sql.ref(`${record}.source`)},
  'externalId', ${sql.ref(`${record}.external_id`)}, 'targetId', ${sql.ref(`${record}.target_id`)}, 'listing', ${sql.ref(`${record}.listing`)})`;

export interface DecideOptions {
  store: Store;
  /** Ids of two records of one kind. */
  left: string;
  right: string;
  verdict: 'same' | 'different';
  /** Who says so. */
  by: string;
  note?: string | undefined;
  /** The candidate that is answered: refused with `question_settled` when somebody has answered it meanwhile. */
  candidate?: string;
  now?: () => number;
}

/**
 * Stores a decision about two records. It replaces an earlier one about the same two, unless it answers a candidate that is settled.
 * The directory follows with `applyDecisions`.
 */
export async function storeDecision(options: DecideOptions): Promise<void> {
  const { store, verdict, by, candidate } = options;
  const note = checkNote(options.note);
  if (isRefusal(note)) throw new IngestError('note_invalid', `the note is not valid: ${note.reason}`);
  const decidedAt = new Date((options.now ?? Date.now)());
  const { kind, first, second } = await pairOf(store.db, options.left, options.right);
  await transact(store.db, async (trx) => {
    if (candidate !== undefined) await refuseSettled(trx, candidate);
    await revoke(trx, first, second, decidedAt);
    await trx
      .insertInto('decision')
      .values({
        id: randomUUIDv7(),
        kind,
        left_id: first,
        right_id: second,
        verdict,
        decided_by: by,
        decided_at: decidedAt,
        note,
        is_pending: true,
      })
      .execute();
    await settle(trx, first, second, decidedAt);
  });
}

export interface UndecideOptions {
  store: Store;
  left: string;
  right: string;
  /** The decision that is meant: refused with `decision_unknown` when it stands no longer. */
  decision?: string;
  now?: () => number;
}

/** Takes a decision back, and its candidate is open again. With `applyDecisions` the facts decide, also whether it stays open. */
export async function revokeDecision(options: UndecideOptions): Promise<void> {
  const { db } = options.store;
  const revokedAt = new Date((options.now ?? Date.now)());
  const { first, second } = await pairOf(db, options.left, options.right);
  await transact(db, async (trx) => {
    const count = await revoke(trx, first, second, revokedAt, options.decision);
    if (count === 0) throw new IngestError('decision_unknown', 'there is no decision about these two listings');
    await settle(trx, first, second, null);
  });
}

interface ApplyOptions {
  store: Store;
  /** How long to wait for a run that is writing. */
  patienceMs?: number;
  now?: () => number;
}

/** Matches again what pending decisions are about, in one run for all of them. Null when none is pending. */
export async function applyDecisions({ store: { db }, ...options }: ApplyOptions): Promise<ManualChangeResult | null> {
  if (!(await hasPendingDecisions(db))) return null;
  const pending: PendingDecision[] = [];
  const prepare = async () => {
    pending.push(...(await loadPending(db)));
    const revisit = new Set(pending.flatMap(({ left_id, right_id }) => [left_id, right_id]));
    return { staged: NOTHING_STAGED, revisit, reachesBack: true };
  };
  const now = (options.now ?? Date.now)();
  const applied = await applyManualChanges({ db, kind: 'decision', now, patienceMs: options.patienceMs }, prepare);
  // A decision that was taken back meanwhile stays pending.
  for (const { id, revoked_at } of pending) {
    const same = db.updateTable('decision').set({ is_pending: false }).where('id', '=', id);
    await same.where('revoked_at', revoked_at ? 'is not' : 'is', null).execute();
  }
  return applied;
}

type Patience = Pick<ApplyOptions, 'patienceMs'>;

/** Stores a decision and applies it. Null: it is stored, and the service applies it after the run that is writing. */
export async function decide(options: DecideOptions & Patience): Promise<ManualChangeResult | null> {
  await storeDecision(options);
  return applyUnlessBusy(options);
}

/** As `decide`, for a decision that is taken back. */
export async function undecide(options: UndecideOptions & Patience): Promise<ManualChangeResult | null> {
  await revokeDecision(options);
  return applyUnlessBusy(options);
}

/** As `applyDecisions`; null as well if a run is writing. */
export async function applyUnlessBusy(options: ApplyOptions): Promise<ManualChangeResult | null> {
  try {
    return await applyDecisions(options);
  } catch (error) {
    if (error instanceof IngestError && error.code === 'directory_busy') return null;
    throw error;
  }
}

export async function hasPendingDecisions(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('decision').select('id').where('is_pending', '=', true).limit(1).executeTakeFirst()) !== undefined;
}

type PendingDecision = Awaited<ReturnType<typeof loadPending>>[number];

const loadPending = (db: Kysely<Database>) =>
  db.selectFrom('decision').select(['id', 'left_id', 'right_id', 'revoked_at']).where('is_pending', '=', true).execute();

/** The candidate about two records is answered, or open again (null). */
async function settle(db: Kysely<Database>, first: string, second: string, at: Date | null): Promise<void> {
  await db.updateTable('question').set({ settled_at: at }).where('left_id', '=', first).where('right_id', '=', second).execute();
}

async function refuseSettled(db: Kysely<Database>, id: string): Promise<void> {
  const open = await db
    .selectFrom('question')
    .select('id')
    .where('id', '=', id)
    .where('settled_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!open) throw new IngestError('question_settled', 'someone else has already answered this question');
}

async function revoke(db: Kysely<Database>, first: string, second: string, at: Date, only?: string): Promise<number> {
  let standing = db
    .updateTable('decision')
    .set({ revoked_at: at, is_pending: true })
    .where('left_id', '=', first)
    .where('right_id', '=', second)
    .where('revoked_at', 'is', null);
  if (only !== undefined) standing = standing.where('id', '=', only);
  const { numUpdatedRows } = await standing.executeTakeFirst();
  return Number(numUpdatedRows);
}

async function pairOf(
  db: Kysely<Database>,
  left: string,
  right: string,
): Promise<{ kind: 'event' | 'venue'; first: string; second: string }> {
  const [first = '', second = ''] = [left, right].map((id) => id.toLowerCase()).sort();
  const ids = [first, second].filter((id) => isUuid(id));
  const found = await loadRecordKinds(db, ids.length < 2 || first === second ? [] : ids);
  const kinds = new Set(found.values());
  const [kind] = kinds;
  if (found.size !== 2 || kind === undefined || kinds.size !== 1) {
    throw new IngestError('record_unknown', 'wanted the ids of two listings of the same kind');
  }
  return { kind, first, second };
}

const NOTHING_STAGED = { events: [], venues: [], vanished: [] };

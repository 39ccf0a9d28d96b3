/** Events and venues merged and split by hand: decisions about all records of the one and of the other, made and undone as one act. */

import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { isUuid } from '../../values/uuid.ts';
import { applyManualChanges, type ManualChangeResult } from '../manual-changes.ts';
import { loadEventRecordsAt, loadMembers } from '../records/load-others.ts';

type Store = { db: Kysely<Database> };
type Kind = 'event' | 'venue';

/** `act` takes it back. */
export type ManualMergeResult =
  | { ok: true; act: string; difference: ManualChangeResult['difference'] }
  | Refusal<ManualMergeReason>;
type ManualMergeReason = 'unknown' | 'same' | 'nothing_left' | 'held_apart';

interface Act {
  store: Store;
  kind: Kind;
  by: string;
  note?: string | null;
  now?: () => number;
  /** How long to wait for a run that is writing. */
  patienceMs?: number;
}

/** Two are one: the one that was known first keeps its id and the other leads to it. What persons said against it gives way. */
export async function mergeManually(options: Act & { left: string; right: string }): Promise<ManualMergeResult> {
  const { store, kind, left, right } = options;
  const now = (options.now ?? Date.now)();
  const members = await membersOf(store.db, kind, [left, right]);
  const [ours, theirs] = [members.get(left.toLowerCase()) ?? [], members.get(right.toLowerCase()) ?? []];
  if (ours.length === 0 || theirs.length === 0) return UNKNOWN;
  if (ours.some((id) => theirs.includes(id)))
    return { ok: false, reason: 'same', detail: `these records are already one ${kind}` };
  const done = await act(options, now, pairsBetween(ours, theirs), 'same');
  const after = [...(await membersOf(store.db, kind, [left, right])).values()];
  if (new Set(after.map(([first]) => first)).size === 1) return done;
  // A decision about a third listing keeps them apart.
  await undoManually({ ...options, act: done.act });
  return { ok: false, reason: 'held_apart', detail: 'decisions about other listings keep these two apart' };
}

/** `leaving`: the records that are another event or venue; they get their own id back, or a new one. */
export async function splitManually(options: Act & { id: string; leaving: readonly string[] }): Promise<ManualMergeResult> {
  const { store, kind, id } = options;
  const now = (options.now ?? Date.now)();
  const members = (await membersOf(store.db, kind, [id])).get(id.toLowerCase()) ?? [];
  const wanted = new Set(options.leaving.map((each) => each.toLowerCase()));
  const leaving = members.filter((member) => wanted.has(member));
  const staying = members.filter((member) => !wanted.has(member));
  if (members.length === 0 || leaving.length !== wanted.size) return UNKNOWN;
  if (leaving.length === 0 || staying.length === 0) {
    return { ok: false, reason: 'nothing_left', detail: 'wanted at least one listing to split off and one to keep' };
  }
  return act(options, now, pairsBetween(leaving, staying), 'different');
}

/** What was decided in the act counts no longer, and what it had replaced stands again. Null when there is nothing to take back. */
export async function undoManually(
  options: Pick<Act, 'store' | 'by' | 'now' | 'patienceMs'> & { act: string },
): Promise<ManualChangeResult | null> {
  const { store, act: actId } = options;
  const now = (options.now ?? Date.now)();
  if (!isUuid(actId)) return null;
  const decided = () =>
    store.db
      .selectFrom('decision')
      .select(['left_id', 'right_id', 'kind'])
      .where('act_id', '=', actId)
      .where('revoked_at', 'is', null);
  const standing = await decided().execute();
  const [first] = standing;
  if (!first) return null;
  const ids = [...new Set(standing.flatMap(({ left_id, right_id }) => [left_id, right_id]))];
  const prepare = async () => {
    await transact(store.db, async (trx) => {
      await sql`update decision set revoked_at = ${new Date(now)} where act_id = ${actId} and revoked_at is null`.execute(trx);
      await sql`
        update decision set revoked_at = null, revoked_act = null where revoked_act = ${actId} and not exists (
          select from decision as other where other.kind = decision.kind and other.left_id = decision.left_id
            and other.right_id = decision.right_id and other.revoked_at is null)`.execute(trx);
    });
    const revisit = await toRevisit(store.db, first.kind, ids);
    return { staged: NOTHING_STAGED, revisit, reachesBack: first.kind === 'event' };
  };
  return applyManualChanges({ db: store.db, kind: 'decision', now, patienceMs: options.patienceMs }, prepare);
}

/** One of the three, told to another process. */
export type ManualWork =
  | { do: 'merge'; kind: Kind; left: string; right: string; by: string; note: string | null }
  | { do: 'split'; kind: Kind; id: string; leaving: readonly string[]; by: string; note: string | null }
  | { do: 'undo'; act: string; by: string };

export async function doManualWork(
  work: ManualWork,
  common: Pick<Act, 'store' | 'now' | 'patienceMs'>,
): Promise<ManualMergeResult | { ok: true; act: null }> {
  if (work.do === 'merge') return mergeManually({ ...common, ...work });
  if (work.do === 'split') return splitManually({ ...common, ...work });
  const undone = await undoManually({ ...common, ...work });
  return undone ? { ok: true, act: null } : { ok: false, reason: 'unknown', detail: 'this was already undone' };
}

interface Pair {
  left: string;
  right: string;
}

async function act(
  options: Act,
  now: number,
  pairs: readonly Pair[],
  verdict: 'same' | 'different',
): Promise<ManualMergeResult & { ok: true }> {
  const { store, kind, by, note = null } = options;
  const actId = randomUUIDv7();
  const touched = [...new Set(pairs.flatMap(({ left, right }) => [left, right]))];
  const prepare = async () => {
    await transact(store.db, async (trx) => {
      await replaceStanding(trx, kind, pairs, { actId, now });
      // All of them are held apart; to be one it is enough that each is said to be the same as one of the others.
      const said = verdict === 'different' ? pairs : spanning(pairs);
      const rows = said.map(({ left, right }) => ({
        id: randomUUIDv7(),
        kind,
        left_id: left,
        right_id: right,
        verdict,
        act_id: actId,
        decided_by: by,
        decided_at: new Date(now),
        note,
      }));
      await trx.insertInto('decision').values(rows).execute();
      const ids = touched;
      await sql`update question set settled_at = ${new Date(now)} where settled_at is null
        and left_id = any(${ids}::uuid[]) and right_id = any(${ids}::uuid[])`.execute(trx);
    });
    return { staged: NOTHING_STAGED, revisit: await toRevisit(store.db, kind, touched), reachesBack: kind === 'event' };
  };
  const { difference } = await applyManualChanges(
    { db: store.db, kind: 'decision', now, patienceMs: options.patienceMs },
    prepare,
  );
  return { ok: true, act: actId, difference };
}

/** The pairs of the first of each side. */
function spanning(pairs: readonly Pair[]): Pair[] {
  const [first] = pairs;
  if (!first) return [];
  const isOf = (id: string) => (pair: Pair) => pair.left === id || pair.right === id;
  const [ofLeft, ofRight] = [isOf(first.left), isOf(first.right)];
  return pairs.filter((pair) => ofLeft(pair) || ofRight(pair));
}

async function replaceStanding(
  trx: Transaction<Database>,
  kind: Kind,
  pairs: readonly Pair[],
  { actId, now }: { actId: string; now: number },
): Promise<void> {
  const [lefts, rights] = [pairs.map(({ left }) => left), pairs.map(({ right }) => right)];
  await sql`
    update decision set revoked_at = ${new Date(now)}, revoked_act = ${actId} where kind = ${kind} and revoked_at is null
      and (left_id, right_id) in (select * from unnest(${lefts}::uuid[], ${rights}::uuid[]))`.execute(trx);
}

/** By the event or venue that each id leads to, the ids of its present records. */
async function membersOf(db: Kysely<Database>, kind: Kind, ids: readonly string[]): Promise<Map<string, string[]>> {
  const known = ids.map((id) => id.toLowerCase()).filter((id) => isUuid(id));
  return await loadMembers(db, kind, known);
}

function pairsBetween(some: readonly string[], others: readonly string[]): Pair[] {
  return some.flatMap((id) => others.map((other) => (id < other ? { left: id, right: other } : { left: other, right: id })));
}

/** Where venues part, the events that take place there find theirs anew. */
async function toRevisit(db: Kysely<Database>, kind: Kind, recordIds: readonly string[]): Promise<Set<string>> {
  if (kind === 'event') return new Set(recordIds);
  return new Set([...recordIds, ...(await loadEventRecordsAt(db, recordIds))]);
}

const UNKNOWN: Refusal<ManualMergeReason> = { ok: false, reason: 'unknown', detail: 'wanted ids of currently listed records' };
const NOTHING_STAGED = { events: [], venues: [], vanished: [] };

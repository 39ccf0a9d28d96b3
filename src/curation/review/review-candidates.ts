/** The review queue: pairs of listings about which a person is asked, and the answers, which every later run respects. */

import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Evidence } from '../../identity/index.ts';
import { checkNote, isRefusal } from '../../normalize/index.ts';
import { IngestError, LISTED_RECORDS, loadRecordKinds } from '../../sources/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import type { ApplyManualChanges, ManualChangeResult } from './manual-changes.ts';

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
    where settled_at is null and l.target_id is distinct from r.target_id
    order by score desc, question.id limit ${limit}`.execute(store.db);
  return rows.map(({ asked_at, ...row }) => ({ ...row, askedAt: asked_at.getTime() }));
}

const side = (
  record: string,
) => sql`json_build_object('recordId', ${sql.ref(`${record}.id`)}, 'source', ${sql.ref(`${record}.source`)},
  'externalId', ${sql.ref(`${record}.external_id`)}, 'targetId', ${sql.ref(`${record}.target_id`)}, 'listing', ${sql.ref(`${record}.listing`)})`;

export interface DecideOptions {
  store: Store;
  applyManualChanges: ApplyManualChanges;
  /** Ids of two records of one kind. */
  left: string;
  right: string;
  verdict: 'same' | 'different';
  /** Who says so. */
  by: string;
  note?: string | undefined;
  /** The candidate that is answered: refused with `question_settled` when somebody has answered it meanwhile. */
  candidate?: string;
  /** How long to wait for a run that is writing. */
  patienceMs?: number;
  now?: () => number;
}

/** Decides about two records, and the directory follows. A later decision about the same two replaces it, unless it
 * answers a candidate that is settled. */
export async function decide(options: DecideOptions): Promise<ManualChangeResult> {
  const { store, verdict, by, candidate, patienceMs } = options;
  const note = checkNote(options.note);
  if (isRefusal(note)) throw new IngestError('note_invalid', `the note is not valid: ${note.reason}`);
  const now = (options.now ?? Date.now)();
  const { kind, first, second } = await pairOf(store.db, options.left, options.right);
  const prepare = async () => {
    await transact(store.db, async (trx) => {
      if (candidate !== undefined) await refuseSettled(trx, candidate);
      await revoke(trx, first, second, now);
      await trx
        .insertInto('decision')
        .values({
          id: randomUUIDv7(),
          kind,
          left_id: first,
          right_id: second,
          verdict,
          decided_by: by,
          decided_at: new Date(now),
          note,
        })
        .execute();
      await trx
        .updateTable('question')
        .set({ settled_at: new Date(now) })
        .where('left_id', '=', first)
        .where('right_id', '=', second)
        .execute();
    });
    return { staged: NOTHING_STAGED, revisit: new Set([first, second]), reachesBack: true };
  };
  return options.applyManualChanges(store.db, 'decision', null, now, prepare, patienceMs);
}

export interface UndecideOptions {
  store: Store;
  applyManualChanges: ApplyManualChanges;
  left: string;
  right: string;
  /** The decision that is meant: refused with `decision_unknown` when it stands no longer. */
  decision?: string;
  /** How long to wait for a run that is writing. */
  patienceMs?: number;
  now?: () => number;
}

/** Takes a decision back: the facts decide again, and the candidate is open again when they ask it. */
export async function undecide(options: UndecideOptions): Promise<ManualChangeResult> {
  const { db } = options.store;
  const now = (options.now ?? Date.now)();
  const { first, second } = await pairOf(db, options.left, options.right);
  const prepare = async () => {
    await transact(db, async (trx) => {
      const count = await revoke(trx, first, second, now, options.decision);
      if (count === 0) throw new IngestError('decision_unknown', 'there is no decision about these two listings');
      await trx.deleteFrom('question').where('left_id', '=', first).where('right_id', '=', second).execute();
    });
    return { staged: NOTHING_STAGED, revisit: new Set([first, second]), reachesBack: true };
  };
  return options.applyManualChanges(db, 'decision', null, now, prepare, options.patienceMs);
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

async function revoke(db: Kysely<Database>, first: string, second: string, now: number, only?: string): Promise<number> {
  let standing = db
    .updateTable('decision')
    .set({ revoked_at: new Date(now) })
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

/** What people have decided of pairs of records. All later runs respect it. */

import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';
import { RECORD_IDS } from '../records/relations.ts';

export interface StandingDecision {
  kind: 'event' | 'venue';
  left: string;
  right: string;
  verdict: 'same' | 'different';
}

/** The decisions that were not taken back, the oldest first. */
export async function readDecisions(db: Kysely<Database> | Transaction<Database>): Promise<StandingDecision[]> {
  const rows = await db
    .selectFrom('decision')
    .select(['kind', 'left_id', 'right_id', 'verdict'])
    .where('revoked_at', 'is', null)
    .orderBy('decided_at')
    .execute();
  return rows.map((row) => ({
    kind: row.kind as 'event' | 'venue',
    left: row.left_id,
    right: row.right_id,
    verdict: row.verdict as 'same' | 'different',
  }));
}

/** Two listings that may be the same event or venue. */
export interface ReviewCandidate {
  kind: 'event' | 'venue';
  left: string;
  right: string;
  score: number;
  evidence: readonly object[];
}

/**
 * A pair that has been asked keeps its candidate, its answer too. `lookedAt`: the records whose pairs were compared; open candidates
 * between them that are asked no longer are dropped, as are those of `stale`.
 */
export async function writeReviewCandidates(
  trx: Transaction<Database>,
  {
    candidates,
    lookedAt,
    stale,
  }: { candidates: readonly ReviewCandidate[]; lookedAt: readonly string[]; stale: readonly { left: string; right: string }[] },
  now: number,
): Promise<void> {
  const rows = candidates.map(rowOf);
  await sql`
    insert into question (id, kind, left_id, right_id, score, evidence, asked_at)
    select gen_random_uuid(), kind, left_id, right_id, score, evidence, ${new Date(now).toISOString()}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (kind text, left_id uuid, right_id uuid, score real, evidence jsonb)
    where exists (select from ${RECORD_IDS} as record where id = left_id)
      and exists (select from ${RECORD_IDS} as record where id = right_id)
    on conflict (left_id, right_id) do update set score = excluded.score, evidence = excluded.evidence
      where question.settled_at is null and question.score <> excluded.score`.execute(trx);
  await sql`
    delete from question where settled_at is null and left_id = any(${lookedAt}::uuid[]) and right_id = any(${lookedAt}::uuid[])
      and not (left_id, right_id) in (select left_id, right_id from json_to_recordset(${JSON.stringify(rows)}::json)
        as r (left_id uuid, right_id uuid))`.execute(trx);
  if (stale.length === 0) return;
  await sql`
    delete from question using json_to_recordset(${JSON.stringify(stale)}::json) as s ("left" uuid, "right" uuid)
    where settled_at is null and left_id = least(s."left", s."right") and right_id = greatest(s."left", s."right")
      and not (left_id, right_id) in (select left_id, right_id from json_to_recordset(${JSON.stringify(rows)}::json)
        as r (left_id uuid, right_id uuid))`.execute(trx);
}

function rowOf({ kind, left, right, score, evidence }: ReviewCandidate) {
  const [first, second] = left < right ? [left, right] : [right, left];
  return { kind, left_id: first, right_id: second, score, evidence };
}

/** How many of these pairs nobody was asked about before. */
export async function countNewCandidates(db: Kysely<Database>, candidates: readonly ReviewCandidate[]): Promise<number> {
  if (candidates.length === 0) return 0;
  const pairs = JSON.stringify(candidates.map(rowOf).map(({ left_id, right_id }) => ({ left_id, right_id })));
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from json_to_recordset(${pairs}::json) as pair (left_id uuid, right_id uuid)
    where not exists (select from question where question.left_id = pair.left_id and question.right_id = pair.right_id)`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Pairs that are asked about and not answered. */
export async function loadOpenPairs(
  db: Kysely<Database>,
  kind: ReviewCandidate['kind'],
): Promise<{ left: string; right: string }[]> {
  const open = db.selectFrom('question').where('kind', '=', kind).where('settled_at', 'is', null);
  return open.select(['left_id as left', 'right_id as right']).execute();
}

/** What events and venues have in common when a batch of listings becomes records of the directory. */

import type { Kysely, Transaction } from 'kysely';
import { type Change, recordChanges } from '../catalog/index.ts';
import { type Database, transact } from '../store/index.ts';
import type { Entry, Outcome, RunContext } from './context.ts';
import { contentHash, type HeldRecord, heldRecords, lockRecords, type RecordKind, writeRecords } from './records.ts';

interface Draft {
  externalId: string;
  id: string | null;
}

/** A listing that differs from what its source said before. */
export interface Difference<T> extends Entry<T> {
  targetId: string;
  recordId: string;
  contentHash: string;
  isNew: boolean;
}

export interface BatchRules<T extends Draft> {
  kind: RecordKind;
  /** What of a draft is compared and kept; must say all that the written record depends on. */
  listing(draft: T): object;
  /** Reads what `refuse` and `write` must know of the differing drafts. */
  prepare(db: Kysely<Database>, differing: readonly Difference<T>[]): Promise<Prepared<T>>;
}

export interface Prepared<T> {
  refuse(difference: Difference<T>): { field: string; reason: string } | null;
  write(trx: Transaction<Database>, accepted: readonly Difference<T>[]): Promise<Change[]>;
}

/**
 * Saves a batch, all or nothing, in one transaction; a batch that says nothing new writes nothing. No two drafts of it share an
 * external id or an id. Its result is the only effect in memory, so a transaction that is tried again counts once.
 */
export async function saveBatch<T extends Draft>(
  context: RunContext,
  rules: BatchRules<T>,
  entries: readonly Entry<T>[],
): Promise<Outcome> {
  const { known, differing } = await compare(context.db, context, rules, entries);
  if (differing.length === 0) return outcome(known, [], []);
  if (context.dryRun) {
    const { accepted, rejects } = await sift(context.db, rules, differing);
    return outcome(known, accepted, rejects);
  }
  return transact(context.db, async (trx) => {
    await lockRecords(trx);
    // Another writer may have come between, so the comparison is made again under the lock.
    const { known, differing } = await compare(trx, context, rules, entries);
    const { prepared, accepted, rejects } = await sift(trx, rules, differing);
    const changes = await prepared.write(trx, accepted);
    await writeRecords(
      trx,
      context.sourceId,
      rules.kind,
      accepted.map((difference) => ({
        ...difference,
        externalId: difference.draft.externalId,
        listing: rules.listing(difference.draft),
      })),
      context.now,
    );
    await recordChanges(trx, changes, context.now);
    return outcome(known, accepted, rejects);
  });
}

async function compare<T extends Draft>(
  db: Kysely<Database>,
  context: RunContext,
  rules: BatchRules<T>,
  entries: readonly Entry<T>[],
): Promise<{ known: Entry<T>[]; differing: (Difference<T> & { held: HeldRecord | undefined })[] }> {
  const held = await heldRecords(
    db,
    context.sourceId,
    rules.kind,
    entries.map(({ draft }) => draft.externalId),
  );
  const known: Entry<T>[] = [];
  const differing: (Difference<T> & { held: HeldRecord | undefined })[] = [];
  for (const entry of entries) {
    const record = held.get(entry.draft.externalId);
    const digest = contentHash(rules.listing(entry.draft));
    const sameId = entry.draft.id === null || entry.draft.id === record?.targetId;
    if (record && !record.gone && record.contentHash === digest && sameId) {
      known.push(entry);
      continue;
    }
    differing.push({
      ...entry,
      held: record,
      targetId: record?.targetId ?? entry.draft.id ?? context.newId(),
      recordId: record?.recordId ?? context.newId(),
      contentHash: digest,
      isNew: record === undefined || record.gone,
    });
  }
  return { known, differing };
}

async function sift<T extends Draft>(
  db: Kysely<Database>,
  rules: BatchRules<T>,
  differing: readonly (Difference<T> & { held: HeldRecord | undefined })[],
): Promise<{ prepared: Prepared<T>; accepted: Difference<T>[]; rejects: Outcome['rejects'] }> {
  const prepared = await rules.prepare(db, differing);
  const used = await usedIds(
    db,
    rules.kind,
    differing.flatMap(({ draft, held }) => (draft.id !== null && !held ? [draft.id] : [])),
  );
  const accepted: Difference<T>[] = [];
  const rejects: Outcome['rejects'] = [];
  for (const { held, ...difference } of differing) {
    const refusal = wrongId(difference.draft, held, used) ?? prepared.refuse(difference);
    if (refusal) rejects.push({ line: difference.line, ...refusal });
    else accepted.push(difference);
  }
  return { prepared, accepted, rejects };
}

function wrongId(
  draft: Draft,
  held: HeldRecord | undefined,
  used: ReadonlySet<string>,
): { field: string; reason: string } | null {
  if (draft.id === null) return null;
  if (held) {
    if (held.targetId === draft.id) return null;
    return { field: 'id', reason: `wanted ${held.targetId}, the id this externalId has already, got ${draft.id}` };
  }
  return used.has(draft.id) ? { field: 'id', reason: `${draft.id} is the id of another record` } : null;
}

async function usedIds(db: Kysely<Database>, kind: RecordKind, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom(kind).select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

function outcome<T extends Draft>(
  known: readonly Entry<T>[],
  accepted: readonly Difference<T>[],
  rejects: Outcome['rejects'],
): Outcome {
  const created = accepted.filter(({ isNew }) => isNew).length;
  return {
    created,
    updated: accepted.length - created,
    unchanged: known.length,
    accepted: [...known, ...accepted].map(({ draft }) => draft.externalId),
    rejects,
  };
}

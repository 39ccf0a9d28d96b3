/** What events and venues have in common when a batch of listings becomes records of the directory. */

import type { Kysely, Transaction } from 'kysely';
import { type Change, loadExistingIds, recordChanges } from '../../records/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { heldRecords, lockRecords, type RecordHistory, type RecordKind, writeRecords } from '../records/records.ts';
import type { BatchOutcome, Entry, RunContext } from './context.ts';

interface Draft {
  externalId: string;
  id: string | null;
}

/** A listing that differs from what its source said before. */
export interface ChangedEntry<T> extends Entry<T> {
  targetId: string;
  recordId: string;
  /** Its source has said it before, though perhaps not lately. */
  isHeld: boolean;
  isNew: boolean;
}

interface Candidate<T> extends ChangedEntry<T> {
  held: RecordHistory | undefined;
}

export interface BatchRules<T extends Draft> {
  kind: RecordKind;
  /** Reads what `refuse` and `write` must know of the differing drafts. */
  prepare(db: Kysely<Database>, differing: readonly ChangedEntry<T>[]): Promise<Prepared<T>>;
}

export interface Prepared<T> {
  refuse(difference: ChangedEntry<T>): { field: string; reason: string } | null;
  write(trx: Transaction<Database>, accepted: readonly ChangedEntry<T>[]): Promise<Change[]>;
  /** What can be written only once the records stand. */
  writeShared(trx: Transaction<Database>, accepted: readonly ChangedEntry<T>[]): Promise<Change[]>;
}

/**
 * Saves a batch, all or nothing, in one transaction; a batch that says nothing new writes nothing. No two drafts of it share an
 * external id or an id. Its result is the only effect in memory, so a transaction that is tried again counts once.
 */
export async function saveBatch<T extends Draft>(
  context: RunContext,
  rules: BatchRules<T>,
  entries: readonly Entry<T>[],
): Promise<BatchOutcome> {
  if (context.dryRun) return sift(context.db, context, rules, entries);
  return transact(context.db, async (trx) => {
    await lockRecords(trx);
    const { prepared, differing, ...outcome } = await sift(trx, context, rules, entries);
    if (differing.length === 0) return outcome;
    const changes = await prepared.write(trx, differing);
    context.onWriting?.();
    const records = differing.map((difference) => ({ ...difference, externalId: difference.draft.externalId }));
    await writeRecords(trx, context.sourceId, rules.kind, records, context.now);
    const shared = await prepared.writeShared(trx, differing);
    await recordChanges(trx, [...changes, ...shared], context.now);
    return outcome;
  });
}

/** Which drafts say something new and may, as the directory stands. */
async function sift<T extends Draft>(
  db: Kysely<Database>,
  context: RunContext,
  rules: BatchRules<T>,
  entries: readonly Entry<T>[],
): Promise<BatchOutcome & { prepared: Prepared<T>; differing: ChangedEntry<T>[] }> {
  const { known, candidates } = await compare(db, context, rules, entries);
  const prepared = await rules.prepare(db, candidates);
  const used = await loadExistingIds(
    db,
    rules.kind,
    candidates.flatMap(({ draft, held }) => (draft.id !== null && !held ? [draft.id] : [])),
  );
  const differing: ChangedEntry<T>[] = [];
  const rejects: BatchOutcome['rejects'] = [];
  for (const candidate of candidates) {
    const refusal = wrongId(candidate.draft, candidate.held, used) ?? prepared.refuse(candidate);
    if (refusal) rejects.push({ line: candidate.line, ...refusal });
    else differing.push(candidate);
  }
  const created = differing.filter(({ isNew }) => isNew).length;
  return {
    created,
    updated: differing.length - created,
    unchanged: known.length,
    accepted: [...known, ...differing].map(({ draft }) => draft.externalId),
    rejects,
    prepared,
    differing,
  };
}

async function compare<T extends Draft>(
  db: Kysely<Database>,
  context: RunContext,
  rules: BatchRules<T>,
  entries: readonly Entry<T>[],
): Promise<{ known: Entry<T>[]; candidates: Candidate<T>[] }> {
  const held = await heldRecords(
    db,
    context.sourceId,
    rules.kind,
    entries.map(({ draft }) => draft.externalId),
  );
  const known: Entry<T>[] = [];
  const candidates: Candidate<T>[] = [];
  for (const entry of entries) {
    const record = held.get(entry.draft.externalId);
    const sameId = entry.draft.id === null || entry.draft.id === record?.ownId;
    if (record && !record.gone && record.contentHash === entry.values.contentHash && sameId) {
      known.push(entry);
      continue;
    }
    candidates.push({
      ...entry,
      held: record,
      targetId: record?.targetId ?? entry.draft.id ?? context.previews?.get(entry.draft.externalId)?.id ?? context.newId(),
      recordId: record?.recordId ?? context.newId(),
      isHeld: record !== undefined,
      isNew: record === undefined || record.gone,
    });
  }
  return { known, candidates };
}

function wrongId(
  draft: Draft,
  held: RecordHistory | undefined,
  used: ReadonlySet<string>,
): { field: string; reason: string } | null {
  if (draft.id === null) return null;
  if (held) {
    if (held.ownId === draft.id) return null;
    return { field: 'id', reason: `wanted ${held.ownId}, the id this externalId has already, got ${draft.id}` };
  }
  return used.has(draft.id) ? { field: 'id', reason: `${draft.id} is the id of another record` } : null;
}

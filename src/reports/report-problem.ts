/** One reader's report: it opens a question, or adds to the one that is open. */

import { createHmac, randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { readEmail } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { type Database, transact } from '../store/index.ts';
import { hostNetwork } from '../values/ip-network.ts';
import { KINDS_OF, MAX_WORDS_CHARS, type ProblemKind, type ReportedEntity } from './model.ts';

export interface ProblemInput {
  entity: ReportedEntity;
  recordId: string;
  kind: string;
  /** Anybody's text. */
  words: string;
  /** Empty: no outcome is wanted. */
  email: string;
  /** Of the reader's page. */
  language: string;
  /** The reader's network address; only a keyed hash of its network is stored. */
  address: string;
}

export type ReportResult = { ok: true } | { ok: false; reason: ReportReason };
export type ReportReason = 'kind' | 'words_missing' | 'words_long' | 'email' | 'full';

export interface ReportPlace {
  db: Kysely<Database>;
  /** The directory's clock. */
  now: Clock;
  /** See `readSecret`. */
  secret: string;
}

export async function reportProblem({ db, now, secret }: ReportPlace, input: ProblemInput): Promise<ReportResult> {
  const { entity, recordId, language, address } = input;
  const kind = KINDS_OF[entity].find((each) => each === input.kind);
  const words = cleanWords(input.words);
  const email = input.email.trim() === '' ? null : readEmail(input.email);
  if (!kind) return { ok: false, reason: 'kind' };
  if (words.length > MAX_WORDS_CHARS) return { ok: false, reason: 'words_long' };
  if (kind === 'other' && words === '') return { ok: false, reason: 'words_missing' };
  if (input.email.trim() !== '' && email === null) return { ok: false, reason: 'email' };
  const sender = createHmac('sha256', secret)
    .update(`problem report\n${hostNetwork(address)}`)
    .digest();
  const at = new Date(now());
  return transact(db, async (trx): Promise<ReportResult> => {
    const report = await openReport(trx, { entity, recordId, kind, at });
    if (!report) return { ok: false, reason: 'full' };
    // The question is well known by then.
    if (report.reporters >= MAX_REPORTERS) return { ok: true };
    const added = await trx
      .insertInto('problem_reporter')
      .values({
        id: randomUUIDv7(),
        report_id: report.id,
        sender,
        at,
        words: words || null,
        email: email && (await mayStore(trx, email.lower)) ? email.lower : null,
        language: language.slice(0, MAX_LANGUAGE_CHARS),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    // The same network once more.
    if (!added) return { ok: true };
    await trx
      .updateTable('problem_report')
      .set({ reporters: sql`reporters + 1`, last_at: at })
      .where('id', '=', report.id)
      .execute();
    return { ok: true };
  });
}

/** The open question about this problem of the record, locked; null: too many are open. */
async function openReport(
  trx: Transaction<Database>,
  { entity, recordId, kind, at }: { entity: ReportedEntity; recordId: string; kind: ProblemKind; at: Date },
): Promise<{ id: string; reporters: number } | null> {
  const find = () =>
    trx
      .selectFrom('problem_report')
      .select(['id', 'reporters'])
      .where('entity', '=', entity)
      .where('record_id', '=', recordId)
      .where('kind', '=', kind)
      .where('state', '=', 'open')
      .forUpdate()
      .executeTakeFirst();
  const found = await find();
  if (found) return found;
  const { open } = await trx
    .selectFrom('problem_report')
    .select(({ fn }) => fn.countAll<string>().as('open'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  if (Number(open) >= MAX_OPEN) return null;
  const row = { id: randomUUIDv7(), entity, record_id: recordId, kind, reporters: 0, first_at: at, last_at: at };
  await trx
    .insertInto('problem_report')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Somebody else may have been quicker.
  return (await find()) ?? null;
}

/** Nobody can have a mailbox of somebody else filled. */
async function mayStore(trx: Transaction<Database>, email: string): Promise<boolean> {
  const { count } = await trx
    .selectFrom('problem_reporter')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return Number(count) < MAX_REPORTS_OF_EMAIL;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const cleanWords = (text: string): string =>
  text.toWellFormed().normalize('NFC').replaceAll('\r\n', '\n').replace(CONTROLS, '').trim();

const MAX_REPORTERS = 200;
const MAX_OPEN = 5_000;
const MAX_REPORTS_OF_EMAIL = 5;
const MAX_LANGUAGE_CHARS = 8;

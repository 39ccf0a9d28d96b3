/** The operator's answer to a question, and its way to those who asked for it. */

import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { type EmailWords, type Mailer, writeEmail } from '../mail/index.ts';
import { loadTitle } from '../records/index.ts';
import { type Database, transact } from '../store/index.ts';
import { refusals } from '../values/refusal.ts';
import { isUuid } from '../values/uuid.ts';
import { MAX_NOTE_CHARS, type ReportAnswer } from './model.ts';

export type AnswerResult = { ok: true } | ReturnType<typeof refuse>;

export async function answerReport(
  { db, now }: { db: Kysely<Database>; now: Clock },
  id: string,
  { answer, note, by }: { answer: ReportAnswer; note: string; by: string },
): Promise<AnswerResult> {
  const text = note.trim();
  if (text.length > MAX_NOTE_CHARS || text.includes('\0')) return refuse('note');
  if (!isUuid(id)) return refuse('unknown');
  return transact(db, async (trx): Promise<AnswerResult> => {
    const found = await trx.selectFrom('problem_report').select('state').where('id', '=', id).forUpdate().executeTakeFirst();
    if (!found) return refuse('unknown');
    if (found.state !== 'open') return refuse('answered');
    await trx
      .updateTable('problem_report')
      .set({ state: answer, answered_at: new Date(now()), answered_by: by, note: text || null })
      .where('id', '=', id)
      .execute();
    return { ok: true };
  });
}

/** The e-mail about an outcome in the language of the reporter. `note`: of the operator, as it was written. */
export type WordOutcome = (language: string, answer: ReportAnswer, note: string | null) => EmailWords;

export interface OutcomeOptions {
  db: Kysely<Database>;
  wordOutcome: WordOutcome;
  mailer: Mailer;
  publicUrl: string;
  log: Log;
}

/**
 * Tells reporters what became of their reports. An address is deleted once its e-mail is written down: after a crash between the two
 * the e-mail is sent again rather than never. Gives the number of e-mails.
 */
export async function sendReportOutcomes(options: OutcomeOptions): Promise<number> {
  const { db, log } = options;
  let sent = 0;
  while (sent < MAX_AT_ONCE && (await transact(db, (trx) => sendNext(trx, options)))) sent += 1;
  if (sent > 0) log.info({ emails: sent }, 'e-mails about reported problems');
  return sent;
}

/** The row stays locked until the mailer has the e-mail, so that no other process sends it too. False: none is due. */
async function sendNext(
  trx: Transaction<Database>,
  { mailer, publicUrl, wordOutcome }: Pick<OutcomeOptions, 'mailer' | 'publicUrl' | 'wordOutcome'>,
): Promise<boolean> {
  const due = await trx
    .selectFrom('problem_reporter')
    .innerJoin('problem_report', 'problem_report.id', 'problem_reporter.report_id')
    .select(['problem_reporter.id', 'email', 'entity', 'record_id', 'state', 'note', 'language'])
    .where('email', 'is not', null)
    .where('state', '<>', 'open')
    .orderBy('problem_reporter.id')
    .limit(1)
    .forUpdate('problem_reporter')
    .skipLocked()
    .executeTakeFirst();
  if (!due || due.email === null || due.state === 'open') return false;
  const { id, email, entity, record_id, state, note, language } = due;
  const record = await loadTitle(trx, entity, record_id);
  const link = `${publicUrl}/${entity}s/${record?.slug ?? ''}`;
  const words = wordOutcome(language, state, note);
  await trx.updateTable('problem_reporter').set({ email: null }).where('id', '=', id).execute();
  await mailer.send({ to: email, isPrivate: true, ...writeEmail(words, { site: publicUrl, link }) });
  return true;
}

/** In one run. */
const MAX_AT_ONCE = 100;
const refuse = refusals({
  unknown: 'This report does not exist any more.',
  answered: 'Somebody else answered this report first. Nothing was changed.',
  note: 'The note must have at most 1,000 characters.',
});

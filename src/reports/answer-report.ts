/** The operator's answer to a question, and its way to those who asked for it. */

import type { Kysely } from 'kysely';
import { loadTitle } from '../catalog/index.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { composeEmail, type Mailer } from '../mail/index.ts';
import { type Database, transact } from '../store/index.ts';
import { isUuid } from '../values/uuid.ts';
import { MAX_NOTE_CHARS, type ReportAnswer } from './model.ts';

export type AnswerResult = { ok: true } | { ok: false; reason: 'unknown' | 'answered' | 'note' };

export async function answerReport(
  { db, now }: { db: Kysely<Database>; now: Clock },
  id: string,
  { answer, note, by }: { answer: ReportAnswer; note: string; by: string },
): Promise<AnswerResult> {
  const text = note.trim();
  if (text.length > MAX_NOTE_CHARS || text.includes('\0')) return { ok: false, reason: 'note' };
  if (!isUuid(id)) return { ok: false, reason: 'unknown' };
  return transact(db, async (trx): Promise<AnswerResult> => {
    const found = await trx.selectFrom('problem_report').select('state').where('id', '=', id).forUpdate().executeTakeFirst();
    if (!found) return { ok: false, reason: 'unknown' };
    if (found.state !== 'open') return { ok: false, reason: 'answered' };
    await trx
      .updateTable('problem_report')
      .set({ state: answer, answered_at: new Date(now()), answered_by: by, note: text || null })
      .where('id', '=', id)
      .execute();
    return { ok: true };
  });
}

export interface OutcomeOptions {
  db: Kysely<Database>;
  mailer: Mailer;
  publicUrl: string;
  log: Log;
}

/**
 * Tells reporters what became of their reports. An address is deleted before its e-mail leaves: after a crash between the two the e-mail
 * is missing rather than there twice. Gives the number of e-mails.
 */
export async function sendReportOutcomes({ db, mailer, publicUrl, log }: OutcomeOptions): Promise<number> {
  const due = await takeDue(db);
  for (const { email, entity, record_id, state, note } of due) {
    const record = await loadTitle(db, entity, record_id);
    const link = `${publicUrl}/${entity}s/${record?.slug ?? ''}`;
    const facts = { site: publicUrl, link, ...(note !== null && { note }) };
    await mailer.send({ to: email, isPrivate: true, ...composeEmail(`report_${state}`, facts) });
  }
  if (due.length > 0) log.info({ emails: due.length }, 'e-mails about reported problems');
  return due.length;
}

/** With their addresses, which are deleted. */
async function takeDue(db: Kysely<Database>) {
  return transact(db, async (trx) => {
    const rows = await trx
      .selectFrom('problem_reporter')
      .innerJoin('problem_report', 'problem_report.id', 'problem_reporter.report_id')
      .select(['problem_reporter.id', 'email', 'entity', 'record_id', 'state', 'note'])
      .where('email', 'is not', null)
      .where('state', '<>', 'open')
      .limit(MAX_AT_ONCE)
      .forUpdate('problem_reporter')
      .skipLocked()
      .execute();
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    await trx.updateTable('problem_reporter').set({ email: null }).where('id', 'in', ids).execute();
    return rows.flatMap(({ email, state, ...row }) => (email === null || state === 'open' ? [] : [{ ...row, email, state }]));
  });
}

const MAX_AT_ONCE = 100;

/** An operator's answer to a question of readers. */

import { answerReport, findReport, REPORT_ANSWERS } from '../../../../reports/index.ts';
import { unknownForm } from '../../refusal.ts';
import type { Rooms } from '../../rooms.ts';
import type { Act } from '../act.ts';

export type ReportActOutcome = { ok: true } | { ok: false; report: string; error: string; note: string };

export function actOnReport({ text, once, note, viewer }: Act, { store, clocks }: Rooms): Promise<ReportActOutcome> {
  const answer = REPORT_ANSWERS.find((each) => each === text('intent'));
  if (!answer) throw unknownForm();
  const id = text('report');
  return once(async (): Promise<ReportActOutcome> => {
    const words = text('note').trim();
    const place = { db: store.db, now: clocks.directory };
    const result = await answerReport(place, id, { answer, note: words, by: viewer.email });
    if (!result.ok) return { ok: false, report: id, error: result.detail, note: words };
    const about = await findReport(store.db, id);
    const detail = { kind: about?.kind ?? null, [about?.entity ?? 'record']: about?.record_id ?? null, note: words || null };
    await note({ action: `report.${answer}`, subject: 'report', subjectId: id, detail });
    return { ok: true };
  });
}

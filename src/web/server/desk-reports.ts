/** Questions of readers as the desk lists them, and an operator’s answers. */

import { loadTitle } from '../../records/index.ts';
import { answerReport, findReport, listReports, PROBLEM_KINDS, REPORT_ANSWERS } from '../../reports/index.ts';
import { type Act, momentsOf } from './desk.ts';
import { unknownForm } from './forms.ts';
import type { Rooms } from './rooms.ts';

export async function readReportList(rooms: Rooms, searchParams: URLSearchParams) {
  const { db } = rooms.store;
  const oneOf = <Value extends string>(name: string, values: readonly Value[]): Value | null =>
    values.find((each) => each === searchParams.get(name)) ?? null;
  // The open ones, unless all are asked for.
  const asked = {
    state: searchParams.get('state') === 'any' ? null : (oneOf('state', ['open', ...REPORT_ANSWERS]) ?? 'open'),
    kind: oneOf('kind', PROBLEM_KINDS),
    entity: oneOf('entity', ['event', 'venue']),
  };
  const { reports, next } = await listReports(db, { ...asked, after: searchParams.get('after') });
  const titles = await Promise.all(reports.map(({ entity, recordId }) => loadTitle(db, entity, recordId)));
  const moments = momentsOf(rooms);
  return {
    asked,
    next,
    reports: reports.map(({ lastAt, firstAt, answeredAt, words, ...report }, i) => ({
      ...report,
      title: titles[i]?.title ?? null,
      slug: titles[i]?.state === 'published' ? (titles[i]?.slug ?? null) : null,
      last: moments.format(lastAt),
      first: moments.format(firstAt),
      answered: moments.maybe(answeredAt),
      words: words.map(({ at, text }) => ({ text, at: moments.format(at) })),
    })),
  };
}

type ReportActOutcome = { ok: true } | { ok: false; report: string; error: string; note: string };

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

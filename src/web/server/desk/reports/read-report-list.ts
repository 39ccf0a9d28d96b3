/** Questions of readers as the desk lists them, with the names of their records. */

import { loadTitle } from '../../../../records/index.ts';
import { listReports, PROBLEM_KINDS, REPORT_ANSWERS } from '../../../../reports/index.ts';
import type { Rooms } from '../../rooms.ts';
import { momentsOf } from '../oversight/view-run.ts';

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

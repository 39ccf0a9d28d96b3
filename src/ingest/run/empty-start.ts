/** A source that has nothing to come when it is first read: most likely it is another page than its operator meant. */

import { namedCalendars } from '../../finding/index.ts';
import type { PageSurvey } from '../../providers/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { ComparedRun } from './source-run.ts';

/** Whether the source was never read whole before, and lists no venue and no event that is not over. */
export function isEmptyStart({ source, existing, listed, now }: ComparedRun): boolean {
  if (source.lastOkAt !== null || existing.events.size + existing.venues.size + listed.venues.length > 0) return false;
  return listed.events.every(({ startsAt, endsAt }) => (endsAt ?? startsAt + DAY_MS) < now);
}

/** Why it is on hold, with a way out where the page names one; null: it has something to come. */
export async function reasonOfEmptyStart(run: ComparedRun): Promise<string | null> {
  if (!isEmptyStart(run)) return null;
  const { listed, fetched, options } = run;
  if (listed.events.length > 0) {
    const last = listed.events.reduce((latest, { startsAt }) => Math.max(latest, startsAt), 0);
    return `all of its ${listed.events.length} events are over; the last one began on ${new Date(last).toISOString().slice(0, 10)}`;
  }
  if (listed.rejectedCount > 0) {
    const [reason = 'unreadable'] = Object.entries(listed.reasons).sort(([, a], [, b]) => b - a)[0] ?? [];
    return `none of its ${listed.rejectedCount} listings was accepted, most of them for the reason ${reason}`;
  }
  if (listed.dropped > 0) return `its mapping drops all of its ${listed.dropped} listings`;
  const page = fetched.answer ? await options.readPage?.(fetched.answer).catch(() => null) : null;
  try {
    return page ? describePage(page, run.source.location) : NO_EVENTS;
  } catch {
    // A way out of a strange page is a help alone: the run goes on without.
    return NO_EVENTS;
  }
}

function describePage(page: PageSurvey, location: string): string {
  const empty = `the ${NAMES[page.form]} has no events to come`;
  const others = namedCalendars(page).filter((named) => named.location !== location && named.location !== page.url);
  const [best] = others;
  if (page.form !== 'page') return empty;
  if (!best) return `${empty}; marquee source find may find a calendar of this site`;
  const more = others.length > 1 ? `, and ${others.length - 1} more` : '';
  return `${empty}; it names a calendar at ${best.location}, kind ${best.kind}${more}`;
}

const NO_EVENTS = 'it lists no events';
const NAMES: Readonly<Record<PageSurvey['form'], string>> = {
  page: 'page',
  calendar: 'calendar',
  feed: 'feed',
  sitemap: 'sitemap',
  json: 'response',
  other: 'response',
};

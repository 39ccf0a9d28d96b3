/**
 * New York's events counted in the published file, without Marquee: plain patterns for what is no event, and of listings that are one event
 * the pairs that persons have labelled (`docs/identity.md`). Times are as the file prints them, in New York's local time.
 */

import { readFileSync } from 'node:fs';
import { NYC } from './load.ts';

interface Published {
  id: string;
  title: string;
  venue: string;
  category: string;
  source: string;
  start: string;
  end: string | null;
  isFree: boolean | null;
}

export interface Counted {
  listings: Published[];
  /** `2026-06-16T19:00`, or the day alone where nobody knows the hour. */
  start: string;
  end: string | null;
  isCancelled: boolean;
}

/** The events of the file, each with its listings. */
export function countEvents(): Counted[] {
  const { events } = JSON.parse(readFileSync(NYC.events.file, 'utf8')) as { events: Published[] };
  const listings = events.filter(isEvent);
  const leads = new Map(listings.map(({ id }) => [id, id]));
  const leadOf = (id: string): string => {
    const lead = leads.get(id) ?? id;
    return lead === id ? id : leadOf(lead);
  };
  // A lottery is a listing of the event that it names.
  const named = new Map<string, string>();
  for (const { id, title, start } of listings) {
    const key = `${title.replace(/^.*Lottery - /, '')} ${start}`;
    const lead = named.get(key);
    if (title.includes('Lottery - ') && lead !== undefined) leads.set(id, leadOf(lead));
    else if (title.includes('Lottery - ')) named.set(key, id);
  }
  for (const [left, right] of samePairs()) if (leads.has(left) && leads.has(right)) leads.set(leadOf(left), leadOf(right));
  return [...Map.groupBy(listings, ({ id }) => leadOf(id)).values()].map((group) => {
    const [first] = group.map(timesOf).sort((a, b) => a.doubt - b.doubt);
    return {
      listings: group,
      start: first!.start,
      end: first!.end,
      isCancelled: group.some(({ title }) => /^CANCELL?ED:/.test(title)),
    };
  });
}

/** Whether one of its listings has the word in the title or the venue's name. */
export const says =
  (pattern: RegExp) =>
  ({ listings }: Counted): boolean =>
    listings.some(({ title, venue }) => pattern.test(`${title} | ${venue}`));

/** As `normalizing.test.ts` counts them. */
function isEvent({ title, venue, source, start }: Published): boolean {
  if (start.startsWith('null') || venue === 'Virtual/Online Events') return false;
  if (title.includes('Premium Seating') || title.startsWith('Pinstripe Pass')) return false;
  if (title.startsWith('Museum of') && title.endsWith('General Admission')) return false;
  return source !== 'nyc-open-data' || !PRIVATE.test(title);
}

/** TodayTix prints 19:30 for every show; Resident Advisor's clock stands four hours early, as DICE and SeatGeek show. */
function timesOf({ source, start, end }: Published): { doubt: number; start: string; end: string | null } {
  if (source === 'todaytix') return { doubt: 2, start: start.slice(0, 10), end };
  if (source === 'resident-advisor') return { doubt: 1, start: fourHoursLater(start), end: end && fourHoursLater(end) };
  return { doubt: 0, start: start.slice(0, 16), end: end?.slice(0, 16) ?? null };
}

const fourHoursLater = (local: string): string => Temporal.PlainDateTime.from(local).add({ hours: 4 }).toString().slice(0, 16);

function samePairs(): Pair[] {
  const lines = readFileSync(LABELS, 'utf8').split('\n');
  const pairs = lines.flatMap((line): Pair[] => {
    const [left = '', right = '', label] = line.split('\t');
    return label === 'same' && !KEPT_APART.has(left) && !KEPT_APART.has(right) ? [[left, right]] : [];
  });
  return pairs;
}

type Pair = [left: string, right: string];

const LABELS = new URL('../../quality/labels/nyc-2026-06-16.tsv', import.meta.url);
/** One of each pair that is one event and is not found to be: what is known to go wrong, `docs/identity.md`. */
const KEPT_APART = new Set([
  'bpl:816235',
  'seatgeek:18269827',
  'nyc-open-data:886881:2026-06-27T12:00:00.000',
  'nyc-parks:2174936',
  'nyc-parks:2174937',
  'nyc-open-data:900595:2026-06-28T20:00:00.000',
  'ra:2446912',
  'seatgeek:18192412',
]);
/** Of the permits, read one by one. */
export const PRIVATE =
  /^(Picnic House|Celebration|Barbecue|Miscellaneous|Picnic|Party|Birthday Party|Wedding|Wedding Ceremony|Porter-Dorr Wedding|(Ward|Collier|Ruffin) Family Reunion|Anniversary and Family Reunion BBQ|Williams Family Circle NY|Powell Family Breakfast|.*\d(st|nd|rd|th) Grade .*|TSMS 839 Field Day|Brooklyn New Shool PS146)$/i;

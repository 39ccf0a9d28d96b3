/** Arguments of `search_events` as a query of `GET /events`: the same words, the same rules. */

import type { ParameterProblem } from '../../http/index.ts';
import { nearestName, type RecordSearch, searchEvents } from '../../query/index.ts';
import { type Facet, readTimeWords, type Snapshot } from '../../search/index.ts';
import { NAMED_WINDOWS, WEEKDAYS } from '../../values/named-window.ts';
import type { JsonObject } from '../protocol/message.ts';
import { describeDay } from '../text.ts';
import { type ArgumentReading, readAs } from './readings.ts';
import type { ToolPlace } from './tool.ts';

/** Names of the API and their values, by the argument they come from. */
export type QueryParts = Map<string, readonly (readonly [string, string])[]>;

export interface EventQueryInput {
  parts: QueryParts;
  /** What was read differently than it came. */
  readings: ArgumentReading[];
  mistakes: string[];
}

export function readEventQuery(values: JsonObject, place: ToolPlace): EventQueryInput {
  const input: EventQueryInput = { parts: new Map(), readings: [], mistakes: [] };
  readWords(values, input);
  readWhen(values, input, place);
  readNeighborhood(values.neighborhood, input, place.snapshot, place.now);
  readPlace(values, input);
  if (values.free === true) input.parts.set('free', [['free', 'true']]);
  if (values.price_max !== undefined) input.parts.set('price_max', [['price_max', String(values.price_max)]]);
  const { sort = values.near === undefined ? undefined : 'distance' } = values;
  if (sort !== undefined) input.parts.set('sort', [['sort', String(sort)]]);
  return input;
}

/** `q` and the categories. */
function readWords({ q, category }: JsonObject, { parts }: EventQueryInput): void {
  if (typeof q === 'string') parts.set('q', [['ask', q]]);
  if (Array.isArray(category)) parts.set('category', [['category', category.join(',')]]);
}

function readWhen({ when, from, to }: JsonObject, { parts, readings, mistakes }: EventQueryInput, place: ToolPlace): void {
  const bounds: [string, string][] = [];
  if (typeof from === 'string') bounds.push(['start_date', from]);
  if (typeof to === 'string') bounds.push(['end_date', to]);
  if (typeof when !== 'string') {
    if (bounds.length > 0) parts.set('when', bounds);
    return;
  }
  if (bounds.length > 0) return void mistakes.push('give when, or from and to, not both');
  const time = readTime(when, place);
  if ('mistake' in time) return void mistakes.push(time.mistake);
  parts.set('when', time.pairs);
  if (time.reading) readings.push(time.reading);
}

/** A slug, or the name as people write it. */
export function readNeighborhood(
  given: unknown,
  { parts, readings, mistakes }: EventQueryInput,
  snapshot: Snapshot,
  now: number,
): void {
  if (typeof given !== 'string') return;
  const { items } = snapshot.neighborhoods(now);
  const word = given.toLowerCase().replace(/[\s_]+/g, '-');
  const found = items.find(({ slug, name }) => slug === word || name.toLowerCase() === given.toLowerCase());
  if (found) {
    parts.set('neighborhood', [['neighborhood', found.slug]]);
    if (found.slug !== given) readings.push(readAs('neighborhood', given, found.slug));
    return;
  }
  const slugs = items.map(({ slug }) => slug);
  const meant = slugs.find((slug) => slug.includes(word) || word.includes(slug)) ?? nearestSlug(word, slugs);
  const known = slugs.length === 0 ? 'this city has none' : `for example ${slugs.slice(0, MAX_EXAMPLES).join(', ')}`;
  mistakes.push(`no neighborhood "${given.slice(0, MAX_SHOWN)}"; ${meant === undefined ? known : `did you mean ${meant}?`}`);
}

function nearestSlug(word: string, slugs: readonly string[]): string | undefined {
  const nearest = nearestName(
    word,
    slugs.map((slug) => slug.replaceAll('-', '_')),
  );
  return nearest?.replaceAll('_', '-');
}

function readPlace({ near, radius_m, area }: JsonObject, { parts, mistakes }: EventQueryInput): void {
  if (near !== undefined) {
    const { latitude, longitude } = near as { latitude: number; longitude: number };
    const radius: [string, string][] = radius_m === undefined ? [] : [['radius', String(radius_m)]];
    parts.set('near', [['near', `${latitude},${longitude}`], ...radius]);
  } else if (radius_m !== undefined) mistakes.push('radius_m needs near');
  if (area === undefined) return;
  const { west, south, east, north } = area as Record<'west' | 'south' | 'east' | 'north', number>;
  if (south > north) mistakes.push('area.south must not be above area.north; did you swap them?');
  parts.set('area', [['bbox', `${west},${south},${east},${north}`]]);
}

/** `without`: an argument that is left out. */
export function askEvents(
  parts: QueryParts,
  place: ToolPlace,
  page: { limit: number; offset: number },
  { without, facets }: { without?: string; facets?: readonly Facet[] } = {},
): RecordSearch {
  const pairs = [...parts].flatMap(([name, each]) => (name === without ? [] : each));
  const rest: [string, string][] = [
    ['limit', String(page.limit)],
    ['offset', String(page.offset)],
  ];
  const kept = without === 'near' ? pairs.filter(([name, value]) => name !== 'sort' || value !== 'distance') : pairs;
  const text = [...kept, ...rest].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return searchEvents(text, place, facets);
}

/** In the words of the tool. */
export const describeProblems = (errors: readonly ParameterProblem[]): string[] =>
  errors.map(({ detail }) => detail.replace(/\b(?:start_date|end_date|radius|bbox|ask)\b/g, (word) => NAMES[word] ?? word));

interface ReadTime {
  /** Of `GET /events`. */
  pairs: readonly (readonly [string, string])[];
  /** Absent: `when` has this word. */
  reading?: ArgumentReading;
}

/** `when` as people say it, as parameters of `GET /events`. */
function readTime(when: string, place: ToolPlace): ReadTime | { mistake: string } {
  const became = (how: string): ArgumentReading => ({ name: 'when', given: when, became: `was read as ${how}` });
  if (DAY.test(when)) {
    const pairs = [
      ['start_date', when],
      ['end_date', when],
    ] as const;
    return { pairs, reading: became('from and to of that day') };
  }
  const word = toWord(when);
  if (word === 'today') {
    const today = place.city.day(place.now);
    return { pairs: [['end_date', today]], reading: became(`from now to the end of ${today}`) };
  }
  const known = NAMED_WINDOWS.find((name) => name === word) ?? nameOfWeekday(word);
  if (known) return { pairs: [['when', known]], ...(known !== when && { reading: readAs('when', when, known) }) };
  return readPhrase(when, place) ?? { mistake: describeUnknown(when, word) };
}

const toWord = (when: string): string => when.toLowerCase().replace(/[\s-]+/g, '_');

const nameOfWeekday = (word: string): string | undefined => {
  const bare = word.replace(/^(?:on_)?(?:(?:this|coming)_)?/, '');
  return WEEKDAYS.find((weekday) => weekday === bare);
};

/** As `ask` of the API reads it. */
function readPhrase(when: string, { city, now }: ToolPlace): ReadTime | { mistake: string } | null {
  const read = readTimeWords(when, now, city);
  if (read === null) return null;
  const { means, parameters } = read;
  if (parameters === null) {
    return { mistake: `when ${show(when)} is over: it was read as ${means}, and today is ${describeDay(city.day(now))}` };
  }
  if (parameters.when !== undefined) return { pairs: Object.entries(parameters), reading: readAs('when', when, parameters.when) };
  const { start_date: from = 'now', end_date: to } = parameters;
  const how = `was read as ${means}: from ${from}${to === undefined ? '' : ` and to ${to}`}`;
  return { pairs: Object.entries(parameters), reading: { name: 'when', given: when, became: how } };
}

function describeUnknown(when: string, word: string): string {
  const meant = Object.hasOwn(MEANT, word) ? MEANT[word] : nearestName(word, NAMED_WINDOWS);
  const hint = meant == null ? '' : `; did you mean ${meant}?`;
  return `when ${show(when)} is not known${hint} One of: ${NAMED_WINDOWS.join(', ')}; or give from and to as dates`;
}

const show = (when: string): string => `"${when.slice(0, MAX_SHOWN)}"`;

const NAMES: Readonly<Record<string, string>> = {
  start_date: 'from',
  end_date: 'to',
  radius: 'radius_m',
  bbox: 'area',
  ask: 'q',
};
const MAX_SHOWN = 64;
const MAX_EXAMPLES = 8;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Words that people say and nobody reads as a time. */
const MEANT: Readonly<Record<string, string>> = {
  evening: 'tonight',
  week: 'this_week',
  month: 'next_30_days',
};

/** Why an answer is empty or odd: what a model needs to ask better the second time. */

import type { AskInterpretation, AskPart, Interpretation } from '../../search/index.ts';
import type { JsonObject } from '../protocol/message.ts';
import { cutText, describeClock, describeDay, quote } from '../text.ts';
import { askEvents, type QueryParts } from './event-query.ts';
import type { ToolPlace } from './tool.ts';

/** What excludes most: each filter is left out once, and the search counts exactly. */
export function explainEmpty(parts: QueryParts, values: JsonObject, place: ToolPlace): string[] {
  const names = [...parts.keys()].filter((name) => name !== 'sort');
  const counts = names
    .map((name) => ({ name, total: countWithout(parts, place, name) }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total);
  const notes = [...explainSwap(values, place), ...explainTonight(values, place), ...explainPast(values, place)];
  const told = counts.slice(0, MAX_TOLD).map(({ name, total }) => `without ${nameOf(name, values)} ${plural(total)} match`);
  if (told.length > 0) notes.push(`No event passes all filters: ${told.join(', ')}.`);
  else if (names.length > 1) notes.push('No event passes these filters, and leaving out one of them alone does not help.');
  return [...notes, ...explainAge(place)];
}

function countWithout(parts: QueryParts, place: ToolPlace, name: string): number {
  const found = askEvents(parts, place, { limit: 1, offset: 0 }, { without: name });
  return found.ok ? found.page.total : 0;
}

const nameOf = (name: string, values: JsonObject): string =>
  name === 'when' && values.when === undefined ? 'from and to' : name;
const plural = (n: number): string => (n === 1 ? '1 event' : `${n} events`);

/** The search with both numbers exchanged finds something: they were. */
function explainSwap({ near, area }: JsonObject, place: ToolPlace): string[] {
  if (near !== undefined) {
    const { latitude, longitude } = near as { latitude: number; longitude: number };
    if (
      !hasEvents(
        [
          ['near', `${longitude},${latitude}`],
          ['radius', SWAP_RADIUS_M],
        ],
        place,
      )
    )
      return [];
    return [
      `Nothing is near latitude ${latitude}, longitude ${longitude}. Did you swap latitude and longitude? Try the reverse.`,
    ];
  }
  if (area === undefined) return [];
  const { west, south, east, north } = area as Record<'west' | 'south' | 'east' | 'north', number>;
  if (!hasEvents([['bbox', `${south},${west},${north},${east}`]], place)) return [];
  return ['Did you swap latitude and longitude in area? west and east are longitudes, south and north are latitudes.'];
}

function hasEvents(pairs: readonly (readonly [string, string])[], place: ToolPlace): boolean {
  const found = askEvents(new Map([['near', pairs]]), place, { limit: 1, offset: 0 });
  return found.ok && found.page.total > 0;
}

/** After midnight "tonight" is the night that ends at 5 a.m. */
function explainTonight({ when }: JsonObject, { city, now }: ToolPlace): string[] {
  const local = city.format(now);
  if (typeof when !== 'string' || !/tonight|now/i.test(when) || local.slice(11, 13) >= NEW_DAY_HOUR) return [];
  const day = local.slice(0, 10);
  return [
    `It is ${describeClock(local.slice(11, 16))} on ${describeDay(day)}, and this night ends at 5:00 AM. For the evening of ${describeDay(day)} use from ${day}T17:00 and to ${day}T23:59.`,
  ];
}

export function explainPast({ from, to }: JsonObject, { city, now }: ToolPlace): string[] {
  const end = typeof to === 'string' ? to : typeof from === 'string' ? from : null;
  if (end === null) return [];
  const today = city.day(now);
  if (end.slice(0, 10) >= today) return [];
  return [`These dates are in the past: today is ${describeDay(today)}.`];
}

/** Of a range that ends before it begins: one mistake, however far in the past its end is. */
export function explainOrder({ from, to }: JsonObject, { city, now }: ToolPlace): string {
  const local = city.format(now);
  const begins =
    from === undefined
      ? `now: it is ${describeDay(local)}, ${describeClock(local.slice(11, 16))}`
      : `from: from is ${cutText(String(from), MAX_DATE_CHARS)}`;
  return `to must not be before ${begins}, to is ${cutText(String(to), MAX_DATE_CHARS)}`;
}

function explainAge({ changedAt, city, now }: ToolPlace): string[] {
  if (changedAt === null) return [];
  const local = city.format(changedAt);
  const isOld = now - changedAt > OLD_MS;
  const what = `The directory last changed on ${describeDay(local)}, ${describeClock(local.slice(11, 16))}`;
  return [isOld ? `${what}. It may be out of date.` : `${what}.`];
}

/** What became of a free text: the words that were read as filters, the repaired ones, and what nobody understood. */
export function explainAsked(asked: AskInterpretation | null, total: number): string[] {
  if (!asked) return [];
  const notes: string[] = [];
  const read = asked.parts.filter(({ kind, overriddenBy }) => overriddenBy === null && kind !== 'word' && kind !== 'ignored');
  if (read.length > 0) notes.push(`q was understood: ${read.map(describePart).join('; ')}.`);
  const beside = asked.parts.filter(({ overriddenBy }) => overriddenBy !== null);
  for (const { text, overriddenBy } of beside) notes.push(`${quote(text)} of q was left out: ${overriddenBy} counts instead.`);
  if (total > asked.complete) notes.push(`${asked.complete} of ${total} hold every word of q; the others lack one.`);
  const [nearest] = asked.relaxations;
  if (total === 0 && nearest) notes.push(`Without "${nearest.without}" in q ${plural(nearest.total)} match: q "${nearest.ask}".`);
  return notes;
}

const describePart = ({ kind, text, means }: AskPart): string =>
  kind === 'typo' ? `${quote(text)} as ${quote(means)}` : `${quote(text)} as ${kind} ${quote(means)}`;

export const explainWords = (read: readonly Interpretation[]): string[] =>
  read.map(({ word, readAs }) => `The word ${quote(word)} is in no event; it was read as ${quote(readAs)}.`);

/** The longest form of a date and time, and some spaces. */
const MAX_DATE_CHARS = 40;
const MAX_TOLD = 3;
const SWAP_RADIUS_M = '50000';
const NEW_DAY_HOUR = '05';
const OLD_MS = 2 * 86_400_000;

/** `joinCandidates`: of all doors that were read those that are proposed: best first, the ways into one calendar joined. */

import { soundsInternal } from './event-words.ts';
import type { SourceCandidate } from './model.ts';
import { isThirdParty } from './platforms/platforms.ts';
import type { ReadDoor, UpcomingEvent } from './read-door.ts';

export function joinCandidates(read: readonly ReadDoor[]): SourceCandidate[] {
  const ordered = [...read].filter(isCalendar).sort(byWorth);
  const kept: { door: ReadDoor; warnings: string[] }[] = [];
  for (const door of ordered) {
    const twins = kept.map((other) => ({ other, shared: shareOf(door, other.door) }));
    if (twins.some(({ other, shared }) => shared >= SAME_SHARE && mayJoin(door, other.door))) continue;
    const most = twins.sort((a, b) => b.shared - a.shared)[0];
    const warnings = most && most.shared >= NOTED_SHARE ? [sharedWarning(door, most.other.door, most.shared)] : [];
    kept.push({ door, warnings });
  }
  const live = kept.filter(({ door }) => door.events.length > 0);
  // An empty calendar is worth a word only where there is no other.
  const shown = live.length > 0 ? live : kept.slice(0, 1);
  return shown.map(({ door, warnings }) => candidateOf(door, warnings)).sort((a, b) => Number(b.preferred) - Number(a.preferred));
}

/** A feed of news has no dates, and a page without events is none of ours. */
function isCalendar({ door, events, past }: ReadDoor): boolean {
  return events.length > 0 || past > 0 || (!MAY_BE_ANYTHING.includes(door.kind) && door.rank >= MIN_EMPTY_RANK);
}

function byWorth(a: ReadDoor, b: ReadDoor): number {
  return b.events.length - a.events.length || Number(a.isCut) - Number(b.isCut) || b.door.rank - a.door.rank;
}

/** Lists that a third party keeps are sources of their own, also of the same events. */
function mayJoin(a: ReadDoor, b: ReadDoor): boolean {
  const [one, other] = [a.door.platform, b.door.platform];
  return one === other || !(isThirdParty(one) || isThirdParty(other));
}

/** Of the events of the smaller one: how many are in the other. */
function shareOf(a: ReadDoor, b: ReadDoor): number {
  const [few, many] = a.events.length <= b.events.length ? [a.events, b.events] : [b.events, a.events];
  if (few.length === 0) return 1;
  const days = Map.groupBy(many.map(namedEvent), ({ day }) => day);
  const known = new Set([...days.values()].flat().flatMap(({ when, day, words }) => [`${when} ${words}`, `any ${day} ${words}`]));
  const isIn = ({ when, day, words, isDay }: NamedEvent): boolean =>
    known.has(`${isDay ? 'any ' : ''}${when} ${words}`) ||
    known.has(`${day} ${words}`) ||
    // A title may say more than the other one does. Of a day with very many events some are compared.
    (days.get(day) ?? []).slice(0, MAX_COMPARED).some((other) => {
      const isAtOnce = when === other.when || isDay || other.isDay;
      // Of a title of signs alone nothing is left to compare.
      const isNamed = words !== '' && other.words !== '';
      return isAtOnce && isNamed && (words.includes(other.words) || other.words.includes(words));
    });
  return few.map(namedEvent).filter(isIn).length / few.length;
}

interface NamedEvent {
  /** The title without signs. */
  words: string;
  day: string;
  /** The moment, or the day where that is all. */
  when: string;
  isDay: boolean;
}

function namedEvent({ at, start, title }: UpcomingEvent): NamedEvent {
  const isDay = start.length === DAY_CHARS;
  return { words: plain(title), day: dayOf(start), when: isDay ? start : String(at), isDay };
}

function candidateOf({ door, events, past, last, isCut, hasPlaces }: ReadDoor, warnings: readonly string[]): SourceCandidate {
  const internal = isInternal(door.title ?? '', events);
  const own = [
    ...(events.length === 0 && past > 0 ? [overWarning(last)] : []),
    ...(events.length === 0 && past === 0 ? ['no upcoming events: the calendar is empty'] : []),
    ...(internal ? ['looks internal: staff meetings or private entries'] : []),
    ...warnings,
    ...(isCut ? ['it has more events than were read here'] : []),
    ...(events.length > 0 && !hasPlaces ? ['its events name no place'] : []),
  ];
  return {
    kind: door.kind,
    location: door.location,
    platform: door.platform,
    title: door.title ?? '',
    events: events.length,
    sample: events.slice(0, SAMPLE).map(({ title, start, venue, address }) => ({ title, start, venue, address })),
    warnings: own,
    preferred: events.length > 0 && !internal && warnings.length === 0,
  };
}

function overWarning(last: string | null): string {
  return `no upcoming events: all that it lists are over${last === null ? '' : `, the last was on ${last}`}`;
}

function isInternal(title: string, events: readonly UpcomingEvent[]): boolean {
  const some = events.filter((event) => soundsInternal(event.title)).length;
  return soundsInternal(title) || (some > 0 && some >= events.length * INTERNAL_SHARE);
}

function sharedWarning({ door, events }: ReadDoor, other: ReadDoor, share: number): string {
  const count = Math.round(share * Math.min(events.length, other.events.length));
  return `${count} of the same events are already in ${other.door.platform} (${door.kind === other.door.kind ? other.door.location : other.door.kind})`;
}

const dayOf = (start: string): string => start.slice(0, DAY_CHARS);
const plain = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const DAY_CHARS = 'YYYY-MM-DD'.length;
const SAMPLE = 5;
const MAX_COMPARED = 50;
/** From here on two lists are ways into one calendar. */
const SAME_SHARE = 0.6;
const NOTED_SHARE = 0.3;
const INTERNAL_SHARE = 0.4;
/** A list of no events that a page calls its calendar. */
const MIN_EMPTY_RANK = 70;
/** Kinds of answers that need not be about events. */
const MAY_BE_ANYTHING: readonly string[] = ['jsonld', 'feed', 'microformats'];

/**
 * What an event is, of what its records say: each field is decided on its own, and the decision can be explained. A pure function,
 * whatever the order of the records.
 */

import { type Event, type EventLink, type EventStatus, type Organizer, priceOf } from '../../records/index.ts';
import { compareText } from '../../values/compare-text.ts';
import type { NormalEvent } from '../model.ts';

/** One record's word on the event. */
export interface Word {
  recordId: string;
  /** The provider's name, as people know it. */
  provider: string;
  /** 0–1. */
  trust: number;
  /** When the source said it last, milliseconds. */
  confirmedAt: number;
  listing: NormalEvent;
  /** The listing's start, with the provider's clock put right where it is known to be off. */
  startsAt: number;
  endsAt: number | null;
  precision: Event['precision'];
}

/** A record's word, its start as it is believed; a clock that runs off runs off at both ends. */
export function wordOf(
  record: { id: string; provider: string; trust: number; confirmedAt: number },
  listing: NormalEvent,
  { startsAt, precision }: Pick<Word, 'startsAt' | 'precision'>,
): Word {
  const { id: recordId, provider, trust, confirmedAt } = record;
  const shift = precision === 'time' ? startsAt - listing.startsAt : 0;
  const endsAt = listing.endsAt === null ? null : listing.endsAt + shift;
  return { recordId, provider, trust, confirmedAt, listing, startsAt, endsAt, precision };
}

export interface FieldChoice {
  field: MergedEventField;
  value: unknown;
  /** The record whose word counts. */
  recordId: string;
  why: string;
  others: { recordId: string; value: unknown }[];
}

export type MergedEventField =
  | 'title'
  | 'category'
  | 'start'
  | 'end'
  | 'description'
  | 'image'
  | 'price'
  | 'status'
  | 'performers'
  | 'organizer';

export type MergedEvent = Omit<Event, 'id' | 'slug' | 'venueId' | 'discoveryScore'>;

/** `words` has at least one. `explain` is told of each field as it is decided. */
export function mergeEvent(words: readonly Word[], explain?: (choice: FieldChoice) => void): MergedEvent {
  const ranked = listingsOfEvent(words).sort(byTrust);
  const decide = <T>(field: MergedEventField, said: (word: Word) => T, better: Preference[] = []): T => {
    const order = ranked.length === 1 ? ranked : [...ranked].sort((a, b) => prefer(a, b, better));
    const winner = order[0] as Word;
    explain?.(trailOf(field, order, said, better));
    return said(winner);
  };

  const times = decide('start', ({ startsAt, precision }) => ({ startsAt, precision }), [KNOWS_THE_HOUR, IS_ON, IS_NOT_SHIFTED]);
  const end = decide('end', ({ endsAt }) => endsAt, [
    { why: 'its end is after the start', test: ({ endsAt }) => endsAt !== null && endsAt > times.startsAt },
  ]);
  const price = decide('price', ({ listing }) => priceOf(listing), [
    // Feeds that call everything free are common, and a price that nobody takes is not.
    { why: 'it lists a price', test: ({ listing }) => (listing.priceMin ?? 0) > 0 || (listing.priceMax ?? 0) > 0 },
    {
      why: 'it lists a price',
      test: ({ listing }) => listing.isFree || listing.priceMin !== null || listing.priceMax !== null,
    },
  ]);
  const event: MergedEvent = {
    title: decide('title', ({ listing }) => listing.title),
    category: decide('category', ({ listing }) => listing.category, categoryPreferences(words)),
    ...times,
    endsAt: end !== null && end >= times.startsAt ? end : null,
    description: decide('description', ({ listing }) => listing.description, [
      { why: 'its description is longer', size: ({ listing }) => Math.min(listing.description?.length ?? 0, ENOUGH_TEXT) },
    ]),
    imageUrl: decide('image', ({ listing }) => listing.imageUrl, [
      { why: 'it has an image', test: ({ listing }) => listing.imageUrl !== null },
    ]),
    ...price,
    status: decide('status', ({ listing }) => listing.status, [
      { why: 'it is about the hour at which the event is', test: (word) => IS_ON.test(word) || isAtHour(word, times) },
      { why: 'its status is more serious', size: ({ listing }) => GRAVITY[listing.status] },
    ]),
    performers: decide('performers', ({ listing }) => listing.performers, [
      { why: 'it names more performers', size: ({ listing }) => listing.performers.length },
    ]),
    organizer: decide('organizer', ({ listing }) => organizerOf(listing), [
      { why: 'it names an organizer', test: ({ listing }) => organizerOf(listing) !== null },
    ]),
    tags: [...new Set(ranked.flatMap(({ listing }) => listing.tags))].sort().slice(0, MAX_TAGS),
    // One listing is one provider's word, whatever names it gives.
    sources: [...new Set(words.map(({ provider }) => provider))].sort(),
    links: linksOf(words),
  };
  return event;
}

/** Listings of 0.1.0 have the name alone. */
function organizerOf({ organizer }: { organizer: Organizer | string | null }): Organizer | null {
  return typeof organizer === 'string' ? { name: organizer, url: null } : organizer;
}

/** Where the event can be read about or paid for: one page of each provider, the most trusted first. */
export function linksOf(words: readonly Word[]): EventLink[] {
  const links = new Map<string, string>();
  for (const { provider, listing } of listingsOfEvent(words).sort(byTrust))
    if (listing.url !== null && !links.has(provider)) links.set(provider, listing.url);
  return [...links].map(([provider, url]) => ({ provider, url })).slice(0, MAX_LINKS);
}

/**
 * Every provider has one vote for each category, its surest listing, and a vote weighs as much as the cube of its certainty: two sources
 * that are sure outvote a third, two that guess do not.
 */
function categoryPreferences(words: readonly Word[]): Preference[] {
  const certainty = ({ listing }: Word) => Math.round(listing.categoryConfidence * CERTAINTY_STEPS);
  const votes = Map.groupBy(words, ({ listing }) => listing.category);
  const weights = [...votes].map(([category, voters]) => {
    const byProvider = Map.groupBy(voters, ({ provider }) => provider).values();
    const weight = [...byProvider].reduce((sum, own) => sum + Math.max(...own.map(certainty)) ** 3, 0);
    return { category, weight };
  });
  const most = weights.toSorted((a, b) => b.weight - a.weight || compareText(a.category, b.category))[0]?.category;
  const surest = { why: 'its category is more certain', size: certainty };
  const isVoted = ({ listing }: Word) => listing.category === most;
  const top = Math.max(...words.map(certainty));
  const isSurest = words.filter((word) => certainty(word) === top).every(isVoted);
  return isSurest ? [surest] : [{ why: 'more sources list it under this category', test: isVoted }, surest];
}

/** A lottery or a package says nothing about an event that is listed itself. */
function listingsOfEvent(words: readonly Word[]): Word[] {
  const own = words.filter(({ listing }) => listing.ticket === undefined);
  return own.length > 0 ? own : [...words];
}

/** A listing without an hour speaks of the whole day. */
const isAtHour = (word: Word, { startsAt, precision }: Pick<Word, 'startsAt' | 'precision'>): boolean =>
  word.precision !== 'time' || precision !== 'time' || Math.abs(word.startsAt - startsAt) <= SAME_HOUR_MS;

/** `order`: the words on a field, the one that counts first. */
function trailOf<T>(
  field: MergedEventField,
  order: readonly Word[],
  said: (word: Word) => T,
  better: readonly Preference[],
): FieldChoice {
  const [winner, next] = order as [Word, Word | undefined];
  const value = said(winner);
  const others = order.slice(1).map((word) => ({ recordId: word.recordId, value: said(word) }));
  const disagrees = others.some((other) => JSON.stringify(other.value) !== JSON.stringify(value));
  const agreed = others.length === 0 ? 'the only source' : 'all sources agree';
  return { field, value, recordId: winner.recordId, why: next && disagrees ? reason(winner, next, better) : agreed, others };
}

/** What makes one word better than another: a condition, or an amount. */
type Preference = { why: string } & ({ test: (word: Word) => boolean } | { size: (word: Word) => number });

const amount = (preference: Preference, word: Word): number =>
  'test' in preference ? Number(preference.test(word)) : preference.size(word);

function prefer(a: Word, b: Word, better: readonly Preference[]): number {
  for (const preference of better) {
    const difference = amount(preference, b) - amount(preference, a);
    if (difference !== 0) return difference;
  }
  return byTrust(a, b);
}

/** The more trusted first; among equals an order that does not depend on when they came. */
function byTrust(a: Word, b: Word): number {
  return (
    b.trust - a.trust ||
    compareText(a.provider, b.provider) ||
    compareText(a.listing.externalId, b.listing.externalId) ||
    compareText(a.recordId, b.recordId)
  );
}

function reason(winner: Word, next: Word, better: readonly Preference[]): string {
  const decisive = better.find((preference) => amount(preference, winner) !== amount(preference, next));
  if (decisive) return decisive.why;
  return winner.trust > next.trust ? 'its source has the highest trust' : 'equal trust: the first source by name';
}

const KNOWS_THE_HOUR: Preference = { why: 'it lists a start time', test: ({ precision }) => precision === 'time' };
/** A cancelled listing of another hour never moves or cancels what another source lists as on. */
const IS_ON = {
  why: 'it lists the event as on',
  test: ({ listing }: Word) => listing.status !== 'cancelled' && listing.status !== 'postponed',
};
const IS_NOT_SHIFTED: Preference = {
  why: 'its clock needs no correction',
  test: ({ startsAt, listing }) => startsAt === listing.startsAt,
};
const GRAVITY: Readonly<Record<EventStatus, number>> = { cancelled: 4, postponed: 3, rescheduled: 2, sold_out: 1, scheduled: 0 };
/** Of 0 to 1. */
const CERTAINTY_STEPS = 20;
/** Five minutes: the starts of one performance. */
const SAME_HOUR_MS = 300_000;
/** Beyond it a longer description is not a better one. */
const ENOUGH_TEXT = 400;
const MAX_TAGS = 50;
/** Of an event. */
export const MAX_LINKS = 20;

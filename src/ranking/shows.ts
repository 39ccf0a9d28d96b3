/** Shows: the events of one series at one venue, seen together. What they say of fame needs no list of names. */

import type { Event } from '../records/index.ts';
import { compareText } from '../values/compare-text.ts';
import { DAY_MS } from '../values/duration.ts';
import type { Picture } from './score-context.ts';
import { median } from './series.ts';

/** A listed event, as far as it says something about others. */
export interface ContextEvent
  extends Pick<Event, 'id' | 'title' | 'venueId' | 'sources' | 'startsAt' | 'category' | 'isFree' | 'imageUrl' | 'performers'> {
  /** As `runKey` gives it. */
  run: string;
  /** Whether it is still to come; what is over counts for the venue and the performers alone. */
  isComing: boolean;
  /** The highest that is known. */
  price: number | null;
  /** The local day, `YYYY-MM-DD`. */
  day: string;
  isLeisure: boolean;
}

export interface Show {
  run: string;
  venueId: string;
  /** Milliseconds, in order. */
  starts: readonly number[];
  /** Of its coming events; null where all are over. */
  next: number | null;
  isFree: boolean;
  /** The middle one; null where none is known. */
  price: number | null;
  picture: Picture;
  /** 0–1: for how many days its venue gives it the stage. */
  residency: number;
  /** Whether it is a play or a musical. */
  isTheater: boolean;
}

export const showKey = ({ run, venueId }: Pick<ContextEvent, 'run' | 'venueId'>): string => `${venueId} ${run}`;

/** By `showKey`. Does not depend on the order of the events. */
export function collectShows(events: readonly ContextEvent[]): Map<string, Show> {
  const judge = judgePictures(events);
  const shows = new Map<string, Show>();
  for (const [key, group] of Map.groupBy(events, showKey)) shows.set(key, collect(group, judge));
  return shows;
}

function collect(events: readonly ContextEvent[], judge: (image: string) => Picture): Show {
  const [{ run, venueId }] = events as readonly [ContextEvent, ...ContextEvent[]];
  const starts = events.map(({ startsAt }) => startsAt).sort((a, b) => a - b);
  const coming = events.flatMap(({ isComing, startsAt }) => (isComing ? [startsAt] : []));
  const next = coming.length === 0 ? null : Math.min(...coming);
  const prices = events.flatMap(({ isFree, price }) => (isFree || price === null || price <= 0 ? [] : [price]));
  const pictures = events.flatMap(({ imageUrl }) => (imageUrl === null ? [] : [judge(imageUrl)]));
  const isFree = events.every((event) => event.isFree);
  return {
    run,
    venueId,
    starts,
    next,
    isFree,
    price: prices.length === 0 ? null : median(prices),
    isTheater: events.every(({ category }) => category === 'theater'),
    picture: pictures.includes('own') ? 'own' : pictures.includes('placeholder') ? 'placeholder' : 'unknown',
    residency: isFree ? 0 : residency(events.map(({ day }) => day)),
  };
}

/** The more days, the more it counts, if some of them lie within one week: what comes back each month is no residency. */
function residency(localDays: readonly string[]): number {
  const days = [...new Set(localDays)].map((day) => Date.parse(day) / DAY_MS).sort((a, b) => a - b);
  const isDense = days.some((day, index) => day - (days[index - 1] ?? Number.NEGATIVE_INFINITY) < WEEK_DAYS);
  return isDense ? (days.length - 1) / (days.length - 1 + RESIDENCY_HALF_WAY) : 0;
}

/** A site that gives everybody a picture says nothing by it: only where some have a placeholder is a picture of one's own a sign. */
function judgePictures(events: readonly ContextEvent[]): (image: string) => Picture {
  const runs = new Map<string, Set<string>>();
  for (const { imageUrl: image, run } of events) {
    if (image === null) continue;
    const known = runs.get(image);
    if (known) known.add(run);
    else runs.set(image, new Set([run]));
  }
  const isPlaceholder = (image: string): boolean => (runs.get(image)?.size ?? 0) > MAX_SHARED;
  const telling = new Set<string>();
  for (const [site, images] of Map.groupBy(runs.keys(), siteOf)) {
    const counts = images.map((image) => ({ series: runs.get(image)?.size ?? 0, isPlaceholder: isPlaceholder(image) }));
    const all = counts.reduce((sum, { series }) => sum + series, 0);
    const without = counts.reduce((sum, { series, isPlaceholder: shared }) => (shared ? sum + series : sum), 0);
    if (without >= TELLING_SHARE * all) telling.add(site);
  }
  return (image) => {
    if (isPlaceholder(image)) return 'placeholder';
    return telling.has(siteOf(image)) ? 'own' : 'unknown';
  };
}

/** Who gives a picture: the part of its address before the path. */
const siteOf = (image: string): string => image.split('/', 3)[2] ?? '';

/** As far as it matters here. */
export interface Showing {
  id: string;
  /** As `runKey` gives it. */
  run: string;
  venueId: string;
  /** Names of the providers. */
  sources: readonly string[];
  /** Milliseconds since 1970 UTC. */
  startsAt: number;
}

/**
 * Which night of a show it is: a pure function of what is listed. Which showing each event is, by id: 1 for the first, and one more for
 * every earlier event of its run that shares its venue or a provider, at most `MAX_SHOWINGS`. Events of one moment are in the order of
 * their venues and ids. Does not depend on the order of `events`, which are those that are listed and still to come.
 */
export function showings(events: Iterable<Showing>): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const run of Map.groupBy(events, (event) => event.run).values()) {
    run.sort((a, b) => a.startsAt - b.startsAt || compareText(a.venueId, b.venueId) || compareText(a.id, b.id));
    run.forEach((event, index) => {
      let number = 1;
      for (let before = index - 1; before >= 0 && number < MAX_SHOWINGS; before -= 1)
        if (isSameShow(run[before] as Showing, event)) number += 1;
      numbers.set(event.id, number);
    });
  }
  return numbers;
}

const isSameShow = (a: Showing, b: Showing): boolean =>
  a.venueId === b.venueId || a.sources.some((name) => b.sources.includes(name));

const WEEK_DAYS = 5;
/** A picture of more series than this is a placeholder. */
const MAX_SHARED = 2;
/** Share of the series of a site that have a placeholder. */
const TELLING_SHARE = 0.1;
/** Further days that make half a residency. */
const RESIDENCY_HALF_WAY = 5;
/** Further ones are worth no less, and need not be counted. */
export const MAX_SHOWINGS = 50;

/** The read model again, slow and obvious: arrays that are filtered, sorted and sliced. What both say must be the same. */

import { trendScores } from '../../src/ranking/index.ts';
import { CATEGORIES, LISTED_STATUSES, runKey } from '../../src/records/index.ts';
import { QUALITY } from '../../src/search/ask/weights.ts';
import type {
  EventQuery,
  EventRow,
  Facet,
  Interpretation,
  NeighborhoodSummary,
  Trending,
  VenueQuery,
  VenueRow,
} from '../../src/search/index.ts';
import { parseQuery } from '../../src/search/text/parse-query.ts';
import { stem } from '../../src/search/text/stem.ts';
import { words } from '../../src/search/text/words.ts';
import { createCityTime } from '../../src/values/city-time.ts';
import { distance } from '../../src/values/distance.ts';
import { PUBLIC_URL, type RandomDirectory } from './random-directory.ts';

interface TwinUnit {
  /** As typed, folded. */
  word: string;
  /** Stems. */
  terms: Set<string>;
  quality: number;
}

/** `trendsAt`: as of when trends are computed. */
export function createSlowTwin(directory: RandomDirectory, trendsAt: number) {
  const { city, neighborhoods, venues } = directory;
  const cityTime = createCityTime(city.timezone);
  const hidden = new Set(venues.filter(({ state }) => state === 'hidden').map(({ id }) => id));
  const events = directory.events.map((event) =>
    hidden.has(event.venueId) && event.state !== 'merged' ? { ...event, state: 'hidden' as const } : event,
  );
  const shown = events.filter(({ state }) => state === 'published' || state === 'unlisted');
  const published = shown.filter(({ state }) => state === 'published');
  const venueOf = new Map(venues.map((venue) => [venue.id, venue]));
  const venueAt = (event: EventRow): VenueRow => venueOf.get(event.venueId)!;
  const isListed = ({ status }: EventRow) => (LISTED_STATUSES as readonly string[]).includes(status);
  const latest = once(({ startsAt, precision }: EventRow) =>
    precision === 'time' ? startsAt : cityTime.dayBounds(cityTime.day(startsAt)).last,
  );
  const upcoming = (now: number) => published.filter((event) => isListed(event) && latest(event) >= now);
  const forms = new Set([
    ...venues.flatMap(({ name }) => words(name)),
    ...shown.flatMap(({ title, description }) => [...words(title), ...words(description ?? '')]),
  ]);
  const byRank = (a: EventRow, b: EventRow) => b.discoveryScore - a.discoveryScore || a.startsAt - b.startsAt || byId(a, b);
  const momenta = upcoming(trendsAt).map((event) => ({ ...event, run: runKey(event.title) }));
  const trends = trendScores(momenta, trendsAt);
  const trendOf = ({ id }: EventRow) => trends.get(id) ?? 0;
  const collator = new Intl.Collator(city.locale === 'no locale' ? 'und' : city.locale);
  const byName = (a: { name: string }, b: { name: string }) =>
    collator.compare(a.name, b.name) || Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));

  /** Texts as lists of stems, field by field. */
  const eventFields = once((event: EventRow) =>
    [event.title, venueAt(event).name, event.description ?? ''].map((text) => words(text).map(stem)),
  );
  const venueFields = once((venue: VenueRow) => [words(venue.name).map(stem)]);

  function textFilter<T>(text: string | undefined, all: readonly T[], fieldsOf: (item: T) => string[][]) {
    const interpretations: Interpretation[] = [];
    const query = text === undefined ? null : parseQuery(text);
    if (!query) return { fits: () => true, interpretations, units: [] };
    const frequency = (term: string) => all.filter((item) => fieldsOf(item).flat().includes(term)).length;
    const read = (word: string): Set<string> => {
      if (frequency(stem(word)) > 0) return new Set([stem(word)]);
      const note = (readAs: string) => {
        if (!interpretations.some((one) => one.word === word)) interpretations.push({ word, readAs });
      };
      const begun = new Set(
        [...forms]
          .filter((form) => form.startsWith(word))
          .map(stem)
          .filter((term) => frequency(term) > 0),
      );
      if (begun.size > 0) {
        note(`${word}*`);
        return begun;
      }
      const letters = word.match(/\p{L}/gu)?.length ?? 0;
      const digits = (text: string) => text.replace(/\P{N}/gu, '');
      const fits = (form: string) => isOneEdit(word, form) && digits(form) === digits(word) && frequency(stem(form)) > 0;
      const near = [...forms].filter((form) => letters >= 5 && fits(form));
      near.sort((a, b) => frequency(stem(b)) - frequency(stem(a)) || (a < b ? -1 : 1));
      if (near[0] === undefined) return new Set();
      note(near[0]);
      return new Set([stem(near[0])]);
    };
    const wanted = query.words.map(read);
    const phrases = query.phrases.map((phrase) => phrase.map(read));
    const fits = (item: T) => {
      const fields = fieldsOf(item);
      const holds = (terms: Set<string>) => fields.flat().some((term) => terms.has(term));
      const holdsPhrase = (phrase: Set<string>[]) =>
        fields.some((field) => field.some((_, at) => phrase.every((terms, place) => terms.has(field[at + place] ?? ''))));
      return wanted.every(holds) && phrases.every(holdsPhrase);
    };
    const qualityOf = (word: string) => {
      const read = interpretations.find((one) => one.word === word)?.readAs;
      return read === undefined ? QUALITY.exact : read.endsWith('*') ? QUALITY.beginning : QUALITY.typo;
    };
    const typed = [...query.words, ...query.phrases.flat()];
    const units = [...wanted, ...phrases.flat()].flatMap((terms, place): TwinUnit[] =>
      terms.size === 0 ? [] : [{ word: typed[place]!, terms, quality: qualityOf(typed[place]!) }],
    );
    return { fits, interpretations, units };
  }

  /** Relevance as `docs/search.md` says it: what each word is worth in its best field, then whole phrases, then what is near. */
  function relevanceOf(units: readonly TwinUnit[], from: number): (event: EventRow) => number {
    const namesOf = (event: EventRow) => event.performers.map((name) => words(name).map(stem));
    const holds = (field: readonly string[], { terms }: TwinUnit) => field.some((term) => terms.has(term));
    const inText = (event: EventRow, unit: TwinUnit) => eventFields(event).some((field) => holds(field, unit));
    const inNames = (event: EventRow, unit: TwinUnit) => namesOf(event).some((name) => holds(name, unit));
    const inTitle = (event: EventRow, unit: TwinUnit) => holds(eventFields(event)[0]!, unit);
    const weights = units.map((unit) => {
      const holding = shown.filter((event) => inText(event, unit) || inNames(event, unit)).length;
      return 1 + Math.round(4 * Math.log2((shown.length + 1) / (holding + 1)));
    });
    const most = weights.reduce((sum, weight) => sum + weight * 8 * QUALITY.exact, 0);
    const best = (event: EventRow, unit: TwinUnit): number => {
      if (inTitle(event, unit)) return 8 * unit.quality;
      if (inNames(event, unit)) return 6 * unit.quality;
      const venue = venueAt(event);
      if (venue.state === 'published' && holds(eventFields(event)[1]!, unit)) return 4 * unit.quality;
      return inText(event, unit) ? 2 * unit.quality : 0;
    };
    const phrase = (event: EventRow): number => {
      if (units.length === 0 || !units.every((unit) => inTitle(event, unit) || inNames(event, unit))) return 0;
      const fields = [eventFields(event)[0]!, ...namesOf(event)];
      const isAt = (field: readonly string[], at: number) =>
        units.every(({ terms }, place) => terms.has(field[at + place] ?? ''));
      const typed = units.map(({ word }) => word).join(' ');
      if ([event.title, ...event.performers].some((name) => words(name).join(' ') === typed)) return 2;
      // One word alone is no phrase.
      return units.length > 1 && fields.some((field) => field.some((_, at) => isAt(field, at))) ? 1 : 0;
    };
    const dayOf = (instant: number) => Date.parse(cityTime.day(instant)) / 86_400_000;
    return (event) => {
      const points = units.reduce((sum, unit, place) => sum + weights[place]! * best(event, unit), 0);
      const days = dayOf(event.startsAt) - dayOf(from);
      const near = days <= 0 ? 3 : days <= 1 ? 2 : days <= 7 ? 1 : 0;
      return (points + phrase(event) * Math.floor(most / 4)) * 4 + near;
    };
  }

  function isAt(venue: VenueRow, { near, box }: EventQuery | VenueQuery): boolean {
    if ((near || box) && venue.locationPrecision === 'area') return false;
    if (near && distance(near.latitude, near.longitude, venue.latitude, venue.longitude) > near.radius) return false;
    if (!box) return true;
    const { latitude, longitude } = venue;
    if (latitude < box.south || latitude > box.north) return false;
    // The antimeridian has two names.
    const names = Math.abs(longitude) === 180 ? [-180, 180] : [longitude];
    return names.some((x) => (box.west <= box.east ? x >= box.west && x <= box.east : x >= box.west || x <= box.east));
  }

  /** The survivor's id, or nothing. */
  function survivor(rows: readonly { id: string; state: string; mergedInto: string | null }[], id: string): string | undefined {
    const seen = new Set<string>();
    let row = rows.find((one) => one.id === id);
    while (row?.state === 'merged' && !seen.has(row.id)) {
      seen.add(row.id);
      const next = row.mergedInto;
      row = rows.find((one) => one.id === next);
    }
    return row?.state === 'published' || row?.state === 'unlisted' ? row.id : undefined;
  }

  function matching(query: EventQuery): { events: EventRow[]; interpretations: Interpretation[]; units: TwinUnit[] } {
    const { fits, interpretations, units } = textFilter(query.text, shown, eventFields);
    const venue = query.venueId === undefined ? undefined : survivor(venues, query.venueId);
    const events = published.filter((event) => {
      const { startsAt, endsAt } = event;
      const to = event.precision === 'time' ? query.to : Math.min(query.to, query.lastDayEnds ?? query.to);
      const inRange = latest(event) >= query.from && startsAt <= to;
      const isOngoing = query.ongoing === true && startsAt < query.from && endsAt !== null && endsAt > query.from;
      return (
        (inRange || isOngoing) &&
        (query.statuses ? query.statuses.includes(event.status) : isListed(event)) &&
        (!query.categories || query.categories.includes(event.category)) &&
        (query.neighborhood === undefined || venueAt(event).neighborhood === query.neighborhood) &&
        (query.venueId === undefined || event.venueId === venue) &&
        (!query.free || event.isFree) &&
        (!query.tags || event.tags.some((tag) => query.tags?.some((wanted) => isSameTag(tag, wanted)))) &&
        (query.priceMax === undefined || (cheapest(event) ?? Number.POSITIVE_INFINITY) <= query.priceMax) &&
        (query.updatedSince === undefined || event.updatedAt >= query.updatedSince) &&
        isAt(venueAt(event), query) &&
        fits(event)
      );
    });
    return { events: events.sort(byRank), interpretations, units };
  }

  function sorted(events: EventRow[], { sort, near, text, from }: EventQuery, units: readonly TwinUnit[]): EventRow[] {
    if (sort === 'relevance' && text !== undefined) {
      const relevance = once(relevanceOf(units, from));
      return events.sort((a, b) => relevance(b) - relevance(a) || byRank(a, b));
    }
    if (sort === 'start') return events.sort((a, b) => a.startsAt - b.startsAt || byId(a, b));
    if (sort === 'updated') return events.sort((a, b) => b.updatedAt - a.updatedAt || byId(a, b));
    if (sort === 'trend') return events.sort((a, b) => trendOf(b) - trendOf(a) || byId(a, b));
    if (sort !== 'distance' || !near) return events;
    const meters = (event: EventRow) =>
      distance(near.latitude, near.longitude, venueAt(event).latitude, venueAt(event).longitude);
    return events.sort((a, b) => meters(a) - meters(b) || byRank(a, b));
  }

  const FACET_VALUES: Record<Facet, (event: EventRow) => string | null> = {
    category: (event) => event.category,
    neighborhood: (event) => venueAt(event).neighborhood,
    free: (event) => String(event.isFree),
    day: (event) => cityTime.day(event.startsAt),
  };
  function facet(events: readonly EventRow[], name: Facet) {
    const values = events.map(FACET_VALUES[name]).filter((value) => value !== null);
    const counts = [...new Set(values)].map((value) => ({ value, count: values.filter((one) => one === value).length }));
    return counts.sort((a, b) => (name === 'day' ? 0 : b.count - a.count) || (a.value < b.value ? -1 : 1));
  }

  const eventCount = (venue: VenueRow, now: number) => upcoming(now).filter((event) => event.venueId === venue.id).length;

  return {
    /** With what is hidden because its venue is. */
    asSeen: events,
    survivor,
    events(query: EventQuery) {
      const { events, interpretations, units } = matching(query);
      const facets = query.facets?.length
        ? Object.fromEntries(query.facets.map((name) => [name, facet(events, name)]))
        : undefined;
      const ids = sorted([...events], query, units).map(({ id }) => id);
      return { total: ids.length, ids: ids.slice(query.offset, query.offset + query.limit), interpretations, facets };
    },
    venues(query: VenueQuery, now: number) {
      const visible = venues.filter(({ state }) => state === 'published');
      const { fits, interpretations } = textFilter(query.text, visible, venueFields);
      const found = visible.filter(
        (venue) =>
          (query.anyVerified || venue.isVerified) &&
          (!query.types || query.types.includes(venue.type)) &&
          (!query.capacities || (venue.capacityTier !== null && query.capacities.includes(venue.capacityTier))) &&
          (query.neighborhood === undefined || venue.neighborhood === query.neighborhood) &&
          isAt(venue, query) &&
          fits(venue),
      );
      found.sort((a, b) => eventCount(b, now) - eventCount(a, now) || byName(a, b) || byId(a, b));
      const ids = found.map(({ id }) => id);
      return { total: ids.length, ids: ids.slice(query.offset, query.offset + query.limit), interpretations };
    },
    neighborhoods(now: number): NeighborhoodSummary[] {
      const items = neighborhoods.map(({ slug, name, description, latitude, longitude }) => {
        const events = upcoming(now).filter((event) => venueAt(event).neighborhood === slug);
        const count = (category: string) => events.filter((event) => event.category === category).length;
        return {
          slug,
          name,
          description,
          latitude,
          longitude,
          eventCount: events.length,
          venueCount: venues.filter((venue) => venue.state === 'published' && venue.isVerified && venue.neighborhood === slug)
            .length,
          topCategories: CATEGORIES.filter((category) => count(category) > 0)
            .sort((a, b) => count(b) - count(a) || (a < b ? -1 : 1))
            .slice(0, 3),
        };
      });
      return items.sort((a, b) => b.eventCount - a.eventCount || byName(a, b) || (a.slug < b.slug ? -1 : 1));
    },
    trending(limit: number, now: number): Omit<Trending, 'generatedAt'> {
      const rising = upcoming(now)
        .filter((event) => trendOf(event) > 0)
        .sort((a, b) => trendOf(b) - trendOf(a) || byId(a, b));
      const houses = venues
        .map((venue) => ({ venue, best: rising.filter(({ venueId }) => venueId === venue.id).slice(0, 3) }))
        .filter(({ best }) => best.length > 0)
        .map(({ venue, best }) => ({
          venue,
          trendScore: Math.round(best.reduce((sum, event) => sum + trendOf(event), 0) * 100) / 100,
        }))
        .sort((a, b) => b.trendScore - a.trendScore || byId(a.venue, b.venue));
      return {
        events: rising.slice(0, limit).map((event) => {
          const { id, title, category, discoveryScore } = event;
          const { name, slug } = venueAt(event);
          return {
            id,
            title,
            category,
            startDatetime: cityTime.format(event.startsAt),
            discoveryScore,
            trendScore: trendOf(event),
            venue: { name, slug },
          };
        }),
        venues: houses.slice(0, limit).map(({ venue, trendScore }) => {
          const { id, name, slug, type, neighborhood } = venue;
          return { id, name, slug, type, neighborhood, upcomingEventCount: eventCount(venue, now), trendScore };
        }),
      };
    },
    /** As the contract prints it. */
    eventJson(id: string, form: 'compact' | 'list' | 'detail'): object {
      const event = shown.find((one) => one.id === id)!;
      const venue = venueAt(event);
      const { title, category, isFree, discoveryScore, slug, description, priceMin, priceMax, performers, tags, sources } = event;
      const compact = { id, title, category, startDatetime: cityTime.format(event.startsAt), isFree, discoveryScore };
      if (form === 'compact') return compact;
      const venueList = {
        id: venue.id,
        name: venue.name,
        slug: venue.slug,
        neighborhood: venue.neighborhood,
        latitude: venue.latitude,
        longitude: venue.longitude,
      };
      const list = {
        ...compact,
        slug,
        endDatetime: event.endsAt === null ? null : cityTime.format(event.endsAt),
        description,
        imageUrl: event.imageUrl?.startsWith('/') ? PUBLIC_URL + event.imageUrl : event.imageUrl,
        priceMin,
        priceMax,
        url: `${PUBLIC_URL}/events/${slug}`,
      };
      if (form === 'list') return { ...list, venue: venueList };
      return {
        ...list,
        venue: { ...venueList, address: venue.address, capacityTier: venue.capacityTier },
        performers,
        tags,
        sources,
      };
    },
    venueJson(id: string, form: 'list' | 'detail', now: number): object {
      const venue = venueOf.get(id)!;
      const { name, slug, type, neighborhood, address, latitude, longitude, capacityTier, isVerified } = venue;
      const url = `${PUBLIC_URL}/venues/${slug}`;
      const upcomingEventCount = eventCount(venue, now);
      const list = {
        id,
        name,
        slug,
        type,
        neighborhood,
        address,
        latitude,
        longitude,
        capacityTier,
        isVerified,
        upcomingEventCount,
        url,
      };
      const { website, parking, transitNearby, openingHours } = venue;
      return form === 'list' ? list : { ...list, metadata: { website, parking, transitNearby, openingHours } };
    },
    trendOf: (id: string) => trends.get(id) ?? 0,
  };
}

/** What does not depend on the question is found once for each record. */
function once<Row extends object, Fact>(find: (row: Row) => Fact): (row: Row) => Fact {
  const found = new Map<Row, Fact>();
  return (row) => {
    const held = found.get(row) ?? find(row);
    found.set(row, held);
    return held;
  };
}

const cheapest = ({ priceMin, priceMax }: EventRow): number | null => priceMin ?? priceMax;
const plain = (tag: string): string => tag.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim().split(/\s+/).join(' ');
const isSameTag = (a: string, b: string): boolean => plain(a) === plain(b);

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** One insertion, deletion, substitution, or swap of neighbours, by code points. */
function isOneEdit(left: string, right: string): boolean {
  const a = [...left];
  const b = [...right];
  if (left === right || Math.abs(a.length - b.length) > 1) return false;
  let head = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head += 1;
  const rest = (letters: string[], from: number) => letters.slice(from).join('');
  if (rest(a, head + 1) === rest(b, head) || rest(a, head) === rest(b, head + 1) || rest(a, head + 1) === rest(b, head + 1))
    return true;
  return a[head] === b[head + 1] && a[head + 1] === b[head] && rest(a, head + 2) === rest(b, head + 2);
}

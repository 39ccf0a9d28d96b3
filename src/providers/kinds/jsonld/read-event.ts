/** One event of a page into a listing. */

import { readStatus } from '../../fields/status-terms.ts';
import { webAddress } from '../../fields/web-address.ts';
import { type EventListing, eventListing } from '../../listing.ts';
import type { SourceFacts } from '../../provider.ts';
import type { EventNode } from './find-events.ts';
import { type Graph, get, idOf, isNode, listOf, localName, type Node, namesOf, textOf, textsOf, typesOf } from './node.ts';
import { readOffers } from './read-offers.ts';
import { type PlaceNode, readPlace } from './read-place.ts';
import { readTimes } from './read-times.ts';
import { categoryOfType, hasLeftPlace, isOnlineOnly, termsOf } from './vocabulary.ts';

/** `id` is what the page calls the event, not yet told apart by occurrence; null when it calls it nothing. */
export type ReadPageEvent =
  | { ok: true; id: string | null; isPart: boolean; event: EventListing }
  | { ok: false; id: string | null; field: string; reason: string; draft?: EventListing };

/**
 * Each of its times, and what could not be read; nothing where none of them is in the window. Texts stay as written. `base` is what
 * relative addresses are relative to.
 */
export function readEvent(each: EventNode, graph: Graph, base: string, source: SourceFacts): ReadPageEvent[] {
  const { node, wholes } = each;
  const own = nameOf(node, graph, base);
  const id = own ?? wholes.map((whole) => nameOf(whole, graph, base)).find((name) => name !== null) ?? null;
  const words = wordsOfEvent(each, graph, base);
  if (words.title === null) return [{ ok: false, id, field: 'title', reason: 'the event has no name' }];
  const { times, isSeries, flaws } = readTimes(node, graph, source);
  const isPart = isSeries || (own === null && wholes.length > 0);
  // A mapping may know when it takes place.
  const draft = { ...words, externalId: id };
  return [
    ...times.map((time): ReadPageEvent => ({ ok: true, id, isPart, event: { ...words, ...time } })),
    ...flaws.map((flaw, at): ReadPageEvent => ({ ok: false, id, ...flaw, ...(at === 0 && times.length === 0 ? { draft } : {}) })),
  ];
}

/** All but its times. */
function wordsOfEvent({ node, wholes }: EventNode, graph: Graph, base: string): EventListing {
  const said = (key: string): unknown => [node, ...wholes].map((each) => get(each, key)).find((value) => value !== undefined);
  const address = (value: unknown): string | null => addressOf(value, graph, base);
  const terms = (key: string): string[] => termsOf(said(key), graph);
  const [statusTerms, modeTerms] = [terms('eventStatus'), terms('eventAttendanceMode')];
  const { venue, isVirtual } = hasLeftPlace(statusTerms, modeTerms) ? ONLINE : readPlace(said('location'), graph);
  const { isSoldOut, ...prices } = readOffers(said('offers'), graph);
  const types = [node, ...wholes].flatMap(typesOf);
  const keywords = textsOf(said('keywords')).flatMap((each) => each.split(','));
  const tags = [...new Set(keywords.map((each) => each.trim()).filter((each) => each !== ''))];
  return eventListing({
    title: textOf(said('name')),
    category: types.map(categoryOfType).find((category) => category !== null) ?? null,
    categoryWords: [...tags, ...wordsOf(types)],
    description: textOf(said('description')),
    image: address(said('image')),
    url: address(get(node, 'url')) ?? address(said('url')),
    isFree: readFlag(textOf(flagText(said('isAccessibleForFree')))),
    ...prices,
    status: withTickets(readStatus(statusTerms), isSoldOut),
    performers: PERFORMER_KEYS.flatMap((key) => namesOf(said(key), graph)),
    tags,
    ...organizerOf(said('organizer'), graph, base),
    isOnline: isVirtual || isOnlineOnly(modeTerms),
    venue,
  });
}

/** The first that has a name, and its own page. */
function organizerOf(value: unknown, graph: Graph, base: string): Pick<EventListing, 'organizer' | 'organizerUrl'> {
  for (const each of listOf(value)) {
    const [organizer] = namesOf(each, graph);
    if (organizer === undefined) continue;
    const node = graph.resolve(each);
    return { organizer, organizerUrl: isNode(node) ? addressOf(get(node, 'url'), graph, base) : null };
  }
  return { organizer: null, organizerUrl: null };
}

/** `@id`, else `url`. A fragment of the home page (`/#event`) is what templates give to every event: an address of its own says more. */
function nameOf(node: Node, graph: Graph, base: string): string | null {
  const [id, url] = [absolute(idOf(node), base), addressOf(get(node, 'url'), graph, base)];
  return id !== null && url !== null && OF_HOME.test(id) ? url : (id ?? url);
}

/** The first web address in a text, an ImageObject or a list of them. `&amp;` of a template that was escaped for HTML is `&`. */
function addressOf(value: unknown, graph: Graph, base: string): string | null {
  for (const each of listOf(value).slice(0, MAX_ADDRESSES)) {
    const said = graph.resolve(each);
    const texts = isNode(said) ? ADDRESS_KEYS.flatMap((key) => textsOf(get(said, key))) : textsOf(said);
    for (const text of texts) {
      const address = absolute(text.replace(/&(?:amp|#0?38);/g, '&'), base);
      if (address !== null) return address;
    }
  }
  return null;
}

function absolute(text: string | null, base: string): string | null {
  if (text === null || text === '') return null;
  return webAddress(text) ?? (URL.canParse(text, base) ? webAddress(new URL(text, base).href) : null);
}

/** An event that does not take place is not sold out. */
function withTickets(status: string | null, isSoldOut: boolean): string | null {
  return isSoldOut && (status === null || status === 'scheduled' || status === 'rescheduled') ? 'sold_out' : status;
}

/** `MusicEvent` as words; `Event` says nothing. */
function wordsOf(types: readonly string[]): string[] {
  const words = types.filter((type) => type !== 'Event' && type !== 'EventSeries');
  return [...new Set(words.map((type) => type.replace(/([a-z])([A-Z])/g, '$1 $2')))];
}

const flagText = (value: unknown): unknown => (typeof value === 'boolean' ? String(value) : value);

function readFlag(text: string | null): boolean | null {
  const name = text === null ? '' : localName(text).toLowerCase();
  if (name === 'true') return true;
  return name === 'false' ? false : null;
}

const OF_HOME = /^https?:\/\/[^/]+\/?#/i;
const ONLINE: PlaceNode = { venue: {}, isVirtual: true };
const PERFORMER_KEYS = ['performer', 'performers', 'actor', 'homeTeam', 'awayTeam', 'competitor'] as const;
const ADDRESS_KEYS = ['url', 'contentUrl', '@id'] as const;
/** A gallery of thousands is not an event's image. */
const MAX_ADDRESSES = 20;

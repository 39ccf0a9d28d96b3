/** Events that web pages mark for machines by the names of classes: microformats 2 (`h-event`) and hCalendar (`vevent`). */

import { mf2 } from 'microformats-parser';
import { addressOf } from '../api-request.ts';
import { addressLine } from '../fields/address-line.ts';
import { createDateTextReader, type ReadDateText } from '../fields/date-text/date-text.ts';
import { readIso } from '../fields/dates.ts';
import { afterDuration } from '../fields/iso-span.ts';
import { isObject, listAt, textAt, valueAt } from '../fields/json-fields.ts';
import { type ListedOccurrence, nameOccurrences } from '../fields/occurrences.ts';
import { splitPlace } from '../fields/place-text.ts';
import { pointOf, readPoint } from '../fields/points.ts';
import { readStatus } from '../fields/status-terms.ts';
import { webAddress } from '../fields/web-address.ts';
import { readWholeDays } from '../fields/whole-days.ts';
import { type EventListing, eventListing, kindAndTags, type ReadListing, type VenueListing } from '../listing.ts';
import { type Provider, readingDay } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { rejectedReading } from '../read-records.ts';
import { decodeText } from '../reading/decode-text.ts';
import { pageRequest } from './jsonld/find-pages.ts';
import { walkTags } from './jsonld/walk-tags.ts';

export const microformats: Provider = {
  kind: 'microformats',
  mapping: 'over',
  keySetting: null,
  request: ({ location }) => pageRequest(addressOf(location).href),
  read(answer, source) {
    const events = eventsIn(parsePage(decodeText(answer), answer.url));
    const bytes = answer.body.length / Math.max(1, events.length);
    const clock: PageClock = { readText: createDateTextReader(source.locales), today: readingDay(source) };
    const listings: ReadListing[] = [];
    const found: ListedOccurrence[] = [];
    for (const [at, properties] of events.entries()) {
      const event = readEvent(properties, clock);
      const id = textIn(properties, 'uid') ?? event.url;
      const missing = (['title', 'start'] as const).find((field) => event[field] === null);
      if (missing === undefined) found.push({ index: at + 1, id, isPart: false, event });
      else {
        const reason = `the event has no ${missing === 'title' ? 'name' : 'dt-start that can be read'}`;
        const refused = { id, field: missing, reason, draft: { ...event, externalId: id } };
        listings.push(rejectedReading({ index: at + 1, bytes, record: () => properties }, refused));
      }
    }
    for (const { index, event } of nameOccurrences(found, answer.url))
      listings.push({ ok: true, index, bytes, listing: { target: 'events', event }, record: () => events[index - 1] });
    return { listings: listings.sort((a, b) => a.index - b.index), next: [] };
  },
};

function parsePage(html: string, url: string): unknown {
  if (!MARKUP.test(html)) throw new ProviderError('not_of_the_kind', 'the response is not a web page');
  if (html.length > MAX_PAGE_CHARS) throw new ProviderError('too_large', `the page is larger than ${MAX_PAGE_CHARS} characters`);
  // Most of a page that has no events is not worth a tree.
  if (!EVENT_CLASS.test(html)) return null;
  const { depth, marked, properties, mostOfOne } = measureTree(html);
  if (depth > MAX_DEPTH) throw new ProviderError('too_large', `the page is nested deeper than ${MAX_DEPTH} elements`);
  if (marked > MAX_MARKED) throw new ProviderError('too_large', `the page has more than ${MAX_MARKED} microformats`);
  if (mostOfOne > MAX_PROPERTIES_OF_ONE)
    throw new ProviderError('too_large', `a microformat has more than ${MAX_PROPERTIES_OF_ONE} properties`);
  if (properties > MAX_PROPERTIES)
    throw new ProviderError('too_large', `the page has more than ${MAX_PROPERTIES} properties of microformats`);
  try {
    return mf2(html, { baseUrl: /^https?:/i.test(url) ? url : 'https://invalid/' });
  } catch (error) {
    throw new ProviderError('not_of_the_kind', `the page cannot be parsed: ${(error as Error).message}`);
  }
}

/**
 * The parser takes the square of the depth, of the number of elements that are a microformat, and of the properties of one. Elements that
 * may lack their end add no depth: they hold no pages. A property counts for the microformat that began last.
 */
function measureTree(html: string): { depth: number; marked: number; properties: number; mostOfOne: number } {
  let depth = 0;
  let most = 0;
  let marked = 0;
  let properties = 0;
  let ofOne = 0;
  let mostOfOne = 0;
  const add = (tag: string, step: 1 | -1): void => {
    if (!MAY_LACK_END.test(tag)) depth = Math.max(0, depth + step);
    most = Math.max(most, depth);
  };
  walkTags(html, {
    wants: (_, attribute) => attribute === 'class',
    open(tag, attributes) {
      add(tag, 1);
      const classes = attributes.get('class') ?? '';
      if (ROOT_CLASS.test(classes)) {
        marked += 1;
        ofOne = 0;
      }
      // What stands before all of them belongs to none.
      if (marked === 0 || !PROPERTY_CLASS.test(classes)) return;
      properties += 1;
      ofOne += 1;
      mostOfOne = Math.max(mostOfOne, ofOne);
    },
    close: (tag) => add(tag, -1),
    text() {},
  });
  return { depth: most, marked, properties, mostOfOne };
}

type Properties = Readonly<Record<string, unknown>>;

/** The properties of each `h-event`, wherever it stands: in a feed, in an entry, or as a property of something else. */
function eventsIn(value: unknown): Properties[] {
  if (Array.isArray(value)) return value.flatMap(eventsIn);
  if (!isObject(value)) return [];
  const properties = valueAt(value, 'properties');
  const isEvent = listAt(value, 'type').includes('h-event') && isObject(properties);
  const inside = ['items', 'children'].flatMap((key) => eventsIn(listAt(value, key)));
  const parts = isObject(properties) ? Object.values(properties).flatMap(eventsIn) : [];
  return [...(isEvent ? [properties] : []), ...inside, ...parts];
}

/** How dates in words are read: in the city's languages, on the day `today`. */
interface PageClock {
  readText: ReadDateText;
  today: string;
}

function readEvent(properties: Properties, clock: PageClock): EventListing {
  const categories = [...new Set(textsIn(properties, 'category'))];
  const [organizer] = listAt(properties, 'organizer');
  return eventListing({
    title: textIn(properties, 'name'),
    ...timesOf(properties, clock),
    description:
      ['content', 'description', 'summary'].map((key) => textIn(properties, key)).find((text) => text !== null) ?? null,
    image: firstAddress([...textsIn(properties, 'photo'), ...textsIn(properties, 'featured')]),
    url: firstAddress(textsIn(properties, 'url')),
    priceText: textIn(properties, 'price'),
    status: readStatus(textsIn(properties, 'status')),
    performers: textsIn(properties, 'performer'),
    ...kindAndTags(categories),
    organizer: textOf(organizer),
    organizerUrl: webAddress(textAt(organizer, 'properties.url.0')),
    venue: venueOf(properties),
  });
}

function timesOf(properties: Properties, { readText, today }: PageClock): Partial<EventListing> {
  const [startText, endText] = [textIn(properties, 'start'), textIn(properties, 'end')].map((text) =>
    text?.replace(NOON, '$112'),
  );
  const read = startText && readIso(startText) === null ? readText(startText, today) : null;
  const [span] = read?.ok ? read.occurrences : [{ start: readIso(startText ?? ''), end: null }];
  if (!span?.start) return {};
  return readWholeDays(
    span.start,
    readIso(endText ?? '') ?? span.end ?? afterDuration(span.start, textIn(properties, 'duration') ?? ''),
  );
}

/** A card, an address, a point or a text; several of them are one place. */
function venueOf(properties: Properties): Partial<VenueListing> {
  const said = [...listAt(properties, 'location'), ...listAt(properties, 'adr'), ...listAt(properties, 'geo')];
  const nodes = said.filter(isObject);
  const cards = nodes.map((node) => valueAt(node, 'properties'));
  const name = cards.map((card) => textIn(card, 'name')).find((text) => text !== null) ?? null;
  const address = cards
    .flatMap((card) => [card, ...cardsIn(card, 'adr')])
    .map(addressOfCard)
    .find((line) => line !== null);
  const points = cards
    .flatMap((card) => [card, ...cardsIn(card, 'geo')])
    .map((card) => pointOf(textIn(card, 'latitude'), textIn(card, 'longitude')));
  const point = points.find((each) => each !== null) ?? readPoint(textIn(properties, 'geo') ?? '', 'lat,lon');
  const website = firstAddress(cards.flatMap((card) => textsIn(card, 'url')));
  const text = said.map(textOf).find((each) => each !== null) ?? null;
  if (address === undefined && text !== null) return { ...splitPlace(text), website, ...point };
  return {
    name: name ?? said.filter((each) => !isObject(each)).map(textOf)[0] ?? null,
    address: address ?? null,
    website,
    ...point,
  };
}

const cardsIn = (card: unknown, key: string): unknown[] => listAt(card, key).map((each) => valueAt(each, 'properties'));

function addressOfCard(card: unknown): string | null {
  const street =
    textIn(card, 'street-address') ??
    textIn(card, 'label') ??
    listAt(card, 'adr').map((each) => (isObject(each) ? null : textOf(each)))[0];
  return addressLine([street ?? null, textIn(card, 'locality'), [textIn(card, 'region'), textIn(card, 'postal-code')]]);
}

/** A property is text, or an object whose `value` is its text. */
function textOf(property: unknown): string | null {
  return (isObject(property) ? textAt(property, 'value') : textAt(property, ''))?.trim().replace(/[^\S\n]+/g, ' ') ?? null;
}

const textsIn = (properties: unknown, key: string): string[] => listAt(properties, key).flatMap((each) => textOf(each) ?? []);
const textIn = (properties: unknown, key: string): string | null => textsIn(properties, key)[0] ?? null;
const firstAddress = (texts: readonly string[]): string | null => texts.map(webAddress).find((url) => url !== null) ?? null;

const MARKUP = /<[a-z!]/i;
const EVENT_CLASS = /\b(?:h-event|vevent)\b/;
/** The parser of microformats writes noon as 24 o'clock. */
const NOON = /^(\d{4}-\d\d-\d\d[ T])24(?=:\d\d)/;
/** HTML §13.1.2: void elements, and elements whose end may be left out; shapes of SVG, which end themselves. */
const MAY_LACK_END =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|td|th|tr|thead|tbody|tfoot|option|optgroup|colgroup|path|circle|ellipse|rect|line|poly(?:gon|line)|use|stop|image)$/;
/** microformats.org/wiki/microformats2 and its "backward compatible" names. */
const ROOT_CLASS =
  /(?<!\S)(?:h-[a-z]|(?:adr|geo|vcard|vevent|hentry|hfeed|hnews|hproduct|hrecipe|hresume|hreview(?:-aggregate)?)(?!\S))/;
/** Of hCalendar and its like the names that an event, a person or a post has. */
const PROPERTY_CLASS =
  /(?<!\S)(?:(?:p|u|dt|e)-[a-z]|(?:summary|dtstart|dtend|duration|description|url|category|location|geo|latitude|longitude|attendee|contact|organizer|uid|photo|logo|price|fn|n|org|tel|email|adr|label|locality|region|note|nickname|title|role|(?:given|family|additional)-name|(?:postal|country|street|extended)-(?:code|name|address)|author|updated|published|entry-(?:title|summary|content)|bookmark|tag|item|review(?:er)?|rating)(?!\S))/;
/** As deep as browsers nest. */
const MAX_DEPTH = 512;
/** Of elements; a page of a calendar has hundreds. */
const MAX_MARKED = 5_000;
const MAX_PROPERTIES_OF_ONE = 3_000;
const MAX_PROPERTIES = 15_000;
const MAX_PAGE_CHARS = 5 * 1024 * 1024;

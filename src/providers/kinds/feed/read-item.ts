/** One item of a feed into a listing. */

import { readAmount } from '../../fields/amount.ts';
import { plainText } from '../../fields/clean-text.ts';
import { readLabels } from '../../fields/labels.ts';
import { splitPlace } from '../../fields/place-text.ts';
import { pointOf } from '../../fields/points.ts';
import { readStatus } from '../../fields/status-terms.ts';
import { webAddress } from '../../fields/web-address.ts';
import { type EventListing, eventListing, kindAndTags, type VenueListing } from '../../listing.ts';
import type { FeedField, Item } from './field.ts';
import { type FeedDates, readTimes, saidFields } from './read-times.ts';
import { FEED_WORDS } from './words.ts';

/** `id` is what the feed calls the item; null when it calls it nothing. */
export type ReadItem =
  | { ok: true; id: string | null; isPart: boolean; event: EventListing; later: readonly EventListing[] }
  | { ok: false; id: string | null; field: string | null; reason: string; draft?: EventListing };

/**
 * Texts stay as written. An item without a start is a post and no event: when it was published says nothing of when anything takes
 * place. `base` is what relative addresses are relative to. `later`: the same event on the further days that it lists.
 */
export function readItem({ fields, isCutOff }: Item, base: string, dates: FeedDates): ReadItem {
  const own = (...names: string[]): string | null => textOf(fields, names, (each) => each.parent === '');
  const core = (...names: string[]): string | null =>
    textOf(fields, names, ({ parent, space }) => parent === '' && space === 'core');
  const url = linkOf(fields, base);
  const id = core('guid', 'id') ?? core('about') ?? url;
  if (isCutOff) return { ok: false, id, field: null, reason: 'the document ends within the item' };
  const title = core('title') ?? ofSpace(fields, 'xcal', 'summary') ?? ofSpace(fields, 'dc', 'title');
  if (title === null) return { ok: false, id, field: 'title', reason: 'the item has no title' };
  const description =
    ofSpace(fields, 'content', 'encoded') ??
    core('contenthtml', 'content', 'description', 'contenttext', 'summary') ??
    own('description');
  const read = readTimes(fields, description ?? '', dates);
  const [times, ...later] = read.ok ? read.times : [];
  const words = wordsOf(fields);
  const event = eventListing({
    title,
    ...times,
    description,
    image: imageOf(fields, base),
    url,
    isFree: FLAGS[(own(...FEED_WORDS.isFree) ?? '').toLowerCase()] ?? null,
    ...pricesOf(own, description),
    status: readStatus([own(...FEED_WORDS.status) ?? ''].filter((text) => text !== '')),
    performers: [...new Set(textsOf(fields, FEED_WORDS.performers))],
    ...kindAndTags(words),
    organizer: named(own(...FEED_WORDS.organizer)),
    venue: venueOf(fields, description, own),
  });
  // A mapping may know when it takes place.
  if (!read.ok) return { ok: false, id, field: 'start', reason: read.reason, draft: { ...event, externalId: id } };
  return { ok: true, id, isPart: false, event, later: later.map((each) => ({ ...event, ...each })) };
}

type OwnText = (...names: string[]) => string | null;

function pricesOf(own: OwnText, description: string | null): Pick<EventListing, 'priceMin' | 'priceMax' | 'priceText'> {
  const said = FEED_WORDS.price.flatMap((name) => named(own(name)) ?? []);
  const amounts = said.map(readAmount).filter((amount) => amount !== null);
  if (amounts.length === 0) {
    const priceText = said[0] ?? readLabels(description ?? '').price;
    return { priceMin: null, priceMax: null, priceText };
  }
  return { priceMin: Math.min(...amounts), priceMax: Math.max(...amounts), priceText: null };
}

/** RSS has the address as text, Atom as an attribute, RDF as the item's name; a guid is one unless it says that it is none. */
function linkOf(fields: readonly FeedField[], base: string): string | null {
  const links = fields.filter(
    ({ name, parent, space }) => name === 'link' && parent === '' && (space === 'core' || space === 'atom'),
  );
  const said = [
    ...links.filter(({ text }) => text !== '').map(({ text }) => text),
    ...links
      .filter(({ attributes }) => /^(?:alternate)?$/i.test(attributes.rel ?? ''))
      .map(({ attributes }) => attributes.href ?? ''),
    ...textsOf(fields, ['url', 'externalurl']),
    ...fields.filter(({ name, attributes }) => name === 'guid' && attributes.isPermaLink !== 'false').map(({ text }) => text),
    ...textsOf(fields, ['about']),
  ];
  return firstAddress(said, base);
}

function imageOf(fields: readonly FeedField[], base: string): string | null {
  const isImage = ({ attributes: { type = '', medium = '', url = '' } }: FeedField) =>
    medium === 'image' || type.startsWith('image/') || (medium === '' && type === '' && IMAGE_FILE.test(url));
  const attached = fields.filter((each) => (each.space === 'media' && each.name === 'content') || each.name === 'enclosure');
  const images = fields.filter(({ name }) => name === 'image' || name === 'bannerimage');
  return firstAddress(
    [
      ...images.flatMap(({ text, attributes }) => [text, attributes.href ?? '', attributes.url ?? '']),
      ...fields.filter(({ name, parent }) => name === 'url' && parent === 'image').map(({ text }) => text),
      ...attached.filter(isImage).map(({ attributes }) => attributes.url ?? ''),
      ...fields.filter(({ name }) => name === 'thumbnail').map(({ attributes }) => attributes.url ?? ''),
    ],
    base,
  );
}

function venueOf(fields: readonly FeedField[], description: string | null, own: OwnText): Partial<VenueListing> {
  const inside = (...names: string[]) => textOf(fields, names, ({ parent }) => parent === 'location' || parent === 'venue');
  const inAttributes = () => textOf(saidFields(fields), FEED_WORDS.venue, () => true);
  const name =
    named(own(...FEED_WORDS.venue)) ??
    inside('name', 'title') ??
    named(inAttributes()) ??
    named(readLabels(description ?? '').place);
  const park = own(...FEED_WORDS.park);
  const point = pointIn(fields);
  const address = own(...FEED_WORDS.address) ?? inside('address', 'streetaddress');
  return {
    ...(name !== null && address === null ? splitPlace(plainText(name)) : { name, address }),
    ...point,
    hints: park === null ? [] : [{ kind: 'venue', name: park }],
  };
}

/** GeoRSS `lat lon` (simple and GML), W3C `lat` and `long`, iCalendar `lat;lon`, `lat, lon` in one text; of several the first. */
function pointIn(fields: readonly FeedField[]) {
  for (const { text } of fields.filter(({ name }) => isOneOf(FEED_WORDS.point, name))) {
    const [latitude, longitude] = text.split(/[\s,;]+/);
    const point = pointOf(latitude, longitude);
    if (point !== null) return point;
  }
  const any = () => true;
  return pointOf(textOf(fields, FEED_WORDS.latitude, any), textOf(fields, FEED_WORDS.longitude, any));
}

/** `A | B | C` is three words; lists that are one text have commas in iCalendar's vocabulary only, as names have them elsewhere. */
function wordsOf(fields: readonly FeedField[]): string[] {
  const said = fields.filter(({ name, parent }) => parent === '' && isOneOf(FEED_WORDS.categoryWords, name));
  const words = said.flatMap(({ text, attributes, space }) => {
    const plain = text !== '' ? text : (attributes.label ?? attributes.term ?? '');
    return plain.split(space === 'xcal' ? /[|,]/ : '|');
  });
  return [...new Set(words.map((word) => word.trim()).filter((word) => word !== ''))];
}

/** An address of the web or of mail is no name. */
function named(text: string | null): string | null {
  return text === null || webAddress(text) !== null || /^mailto:/i.test(text) ? null : text;
}

function firstAddress(said: readonly string[], base: string): string | null {
  for (const text of said) {
    const address =
      text === '' ? null : (webAddress(text) ?? (URL.canParse(text, base) ? webAddress(new URL(text, base).href) : null));
    if (address !== null) return address;
  }
  return null;
}

const isOneOf = (words: readonly string[], name: string): boolean => words.includes(name);

function textOf(fields: readonly FeedField[], names: readonly string[], wanted: (field: FeedField) => boolean): string | null {
  for (const name of names) {
    const field = fields.find((each) => each.name === name && each.text !== '' && wanted(each));
    if (field) return field.text;
  }
  return null;
}

function textsOf(fields: readonly FeedField[], names: readonly string[]): string[] {
  return names
    .flatMap((name) => fields.filter((each) => each.name === name && each.parent === '' && each.text !== ''))
    .map(({ text }) => text);
}

function ofSpace(fields: readonly FeedField[], space: string, name: string): string | null {
  return fields.find((each) => each.space === space && each.name === name && each.text !== '')?.text ?? null;
}

const IMAGE_FILE = /\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)/i;
const FLAGS: Readonly<Record<string, boolean>> = {
  __proto__: null as never,
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};

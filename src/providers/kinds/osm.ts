/** Venues of OpenStreetMap, as Overpass answers in JSON (wiki.openstreetmap.org, "Overpass API/Overpass QL", `out center tags`). */

import type { VenueType } from '../../records/index.ts';
import { addressOf, isAddress } from '../api-request.ts';
import { addressLine } from '../fields/address-line.ts';
import { capacityAt, isObject, textAt, urlAt, valueAt } from '../fields/json-fields.ts';
import { pointOf } from '../fields/points.ts';
import { venueListing } from '../listing.ts';
import type { Provider } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { type RecordReading, readRecords } from '../read-records.ts';
import { parseJson } from '../reading/parse-json.ts';

export const osm: Provider = {
  kind: 'osm',
  mapping: 'over',
  target: 'venues',
  keySetting: null,
  /** The location is an address, or `bbox=south,west,north,east`: then all named venues inside it are asked for. */
  request({ location }) {
    if (isAddress(location)) return { url: addressOf(location).href, accept: ACCEPT };
    const sides = /^bbox=((?:-?\d{1,3}(?:\.\d{1,7})?,?){4})$/.exec(location)?.[1]?.split(',');
    if (sides?.length !== 4) throw new ProviderError('bad_location', 'the location is neither a URL nor a bbox of four numbers');
    const url = new URL(OVERPASS);
    url.searchParams.set('data', queryFor(sides.join(',')));
    return { url: url.href, accept: ACCEPT };
  },
  read(answer) {
    const document = parseJson(answer.body);
    if (!isObject(document) || !Array.isArray(document.elements)) {
      throw new ProviderError('not_of_the_kind', 'the response has no list of elements');
    }
    const remark = textAt(document, 'remark');
    if (remark !== null && /^\s*runtime error|timed out|out of memory/i.test(remark)) {
      throw new ProviderError('not_of_the_kind', `Overpass could not give everything: ${remark.trim()}`);
    }
    return { listings: readRecords(document.elements, answer.body.length, readElement), next: [] };
  },
};

/** Corners of ways and things without a name are no venues. */
function readElement(element: unknown): RecordReading {
  const tags = valueAt(element, 'tags');
  const row = kindOf(tags);
  const name = textAt(tags, 'name');
  if (!row || name === null) return null;
  const [type, id] = [textAt(element, 'type'), textAt(element, 'id')];
  const externalId = type === null || id === null ? null : `${type}/${id}`;
  const at = isObject(valueAt(element, 'center')) ? valueAt(element, 'center') : element;
  const point = pointOf(valueAt(at, 'lat'), valueAt(at, 'lon'));
  if (externalId === null || point === null)
    return { field: 'latitude', reason: 'wanted coordinates or a center, got neither', externalId };
  const street = [textAt(tags, 'addr:housenumber'), textAt(tags, 'addr:street')].filter((part) => part !== null).join(' ');
  const region = [textAt(tags, 'addr:state'), textAt(tags, 'addr:postcode')];
  const venue = venueListing({
    externalId,
    name,
    type: row.type,
    address: street === '' ? null : addressLine([street, textAt(tags, 'addr:city'), region]),
    ...point,
    capacity: capacityAt(tags, 'capacity'),
    website: urlAt(tags, 'website') ?? urlAt(tags, 'contact:website') ?? urlAt(tags, 'url'),
  });
  return [{ target: 'venues', venue }];
}

/** Whether a named element with these tags is a venue. */
export const isOsmVenue = (tags: Readonly<Record<string, string>>): boolean => kindOf(tags) !== undefined;

const kindOf = (tags: unknown) => KINDS.find(({ key, value }) => textAt(tags, key) === value);

/** `nwr` is nodes, ways and relations; the server gives up after a minute. */
function queryFor(bbox: string): string {
  const keys = [...new Set(KINDS.map(({ key }) => key))];
  const parts = keys.map((key) => {
    const values = KINDS.filter((row) => row.key === key).map(({ value }) => value);
    return `nwr[name]["${key}"~"^(${values.join('|')})$"](${bbox});`;
  });
  return `[out:json][timeout:60];(${parts.join('')});out center tags;`;
}

const ACCEPT = 'application/json';
const OVERPASS = 'https://overpass-api.de/api/interpreter';
/** What is a venue, and of which of our types; null is for those whose type only the name can tell. The first that fits counts. */
const KINDS: readonly { key: string; value: string; type: VenueType | null }[] = [
  { key: 'craft', value: 'brewery', type: 'brewery' },
  { key: 'microbrewery', value: 'yes', type: 'brewery' },
  { key: 'tourism', value: 'museum', type: 'museum' },
  { key: 'tourism', value: 'aquarium', type: 'museum' },
  { key: 'tourism', value: 'gallery', type: 'gallery' },
  { key: 'tourism', value: 'zoo', type: 'park' },
  { key: 'leisure', value: 'stadium', type: 'stadium' },
  { key: 'leisure', value: 'sports_hall', type: 'arena' },
  { key: 'leisure', value: 'ice_rink', type: 'arena' },
  { key: 'leisure', value: 'park', type: 'park' },
  { key: 'leisure', value: 'garden', type: 'park' },
  { key: 'leisure', value: 'nature_reserve', type: 'park' },
  { key: 'leisure', value: 'bandstand', type: 'park' },
  { key: 'leisure', value: 'dance', type: 'club' },
  { key: 'amenity', value: 'theatre', type: 'theater' },
  { key: 'amenity', value: 'cinema', type: 'theater' },
  { key: 'amenity', value: 'concert_hall', type: 'theater' },
  { key: 'amenity', value: 'arts_centre', type: 'gallery' },
  { key: 'amenity', value: 'nightclub', type: 'club' },
  { key: 'amenity', value: 'music_venue', type: 'club' },
  { key: 'amenity', value: 'bar', type: 'bar' },
  { key: 'amenity', value: 'pub', type: 'bar' },
  { key: 'amenity', value: 'biergarten', type: 'bar' },
  { key: 'amenity', value: 'restaurant', type: 'restaurant' },
  { key: 'amenity', value: 'cafe', type: 'restaurant' },
  { key: 'amenity', value: 'marketplace', type: 'park' },
  { key: 'amenity', value: 'events_venue', type: null },
  { key: 'amenity', value: 'community_centre', type: null },
  { key: 'amenity', value: 'conference_centre', type: null },
  { key: 'amenity', value: 'library', type: null },
  { key: 'amenity', value: 'townhall', type: null },
  { key: 'amenity', value: 'social_centre', type: null },
  { key: 'amenity', value: 'exhibition_centre', type: null },
  { key: 'leisure', value: 'sports_centre', type: null },
];

/** Event pages of Squarespace: the same address with `format=json`. */

import { addressLine } from '../../fields/address-line.ts';
import { createDateReader } from '../../fields/dates.ts';
import { listAt, sameNamed, textAt, textsOf, valueAt } from '../../fields/json-fields.ts';
import { pointOf } from '../../fields/points.ts';
import { spanOf } from '../../fields/two-clocks.ts';
import { webAddress } from '../../fields/web-address.ts';
import { kindAndTags, type VenueListing } from '../../listing.ts';
import { jsonPlatform } from './json-platform.ts';

export const squarespace = jsonPlatform({
  kind: 'squarespace',
  name: 'events of Squarespace',
  defaults: () => ({ format: 'json' }),
  /** Past events stand apart, in `past`. */
  recordsIn: 'upcoming',
  nextPage(document) {
    const offset = textAt(document, 'pagination.nextPageOffset');
    return valueAt(document, 'pagination.nextPage') === true && offset !== null ? { offset } : null;
  },
  readEvent(record, { document, url }) {
    const momentAt = (name: string) => readEpoch(textAt(record, name) ?? '');
    const addressAt = (name: string) => absolute(textAt(record, name), url);
    const wordsAt = (name: string) => textsOf(listAt(record, name), '');
    return {
      externalId: textAt(record, 'id'),
      ...sameNamed(record, 'title'),
      ...kindAndTags(wordsAt('categories'), wordsAt('tags')),
      ...spanOf(momentAt('startDate'), momentAt('endDate'), false),
      zone: textAt(document, 'website.timeZone'),
      description: textAt(record, 'body') ?? textAt(record, 'excerpt'),
      // The address of no file ends with a slash.
      image: addressAt('assetUrl')?.replace(/.*\/$/, '') || null,
      url: addressAt('fullUrl'),
      venue: venueOf(valueAt(record, 'location')),
    };
  },
});

function venueOf(location: unknown): Partial<VenueListing> {
  const [name, street] = [textAt(location, 'addressTitle'), textAt(location, 'addressLine1')];
  const marker = pointOf(valueAt(location, 'markerLat'), valueAt(location, 'markerLng'));
  const point = marker ?? pointOf(valueAt(location, 'mapLat'), valueAt(location, 'mapLng'));
  const isDefault = point !== null && DEFAULT_POINT.test(`${point.latitude},${point.longitude}`);
  const isPlace = name !== null || street !== null;
  return { name, address: addressLine([street, textAt(location, 'addressLine2')]), ...(isPlace && !isDefault ? point : null) };
}

function absolute(text: string | null, base: string): string | null {
  return text !== null && URL.canParse(text, base) ? webAddress(new URL(text, base).href) : null;
}

const readEpoch = createDateReader('epoch-ms') ?? (() => null);
/** Where the map of the platform stands until somebody moves it: its own office. */
const DEFAULT_POINT = /^40\.720[67]\d*,-74\.000[67]\d*$/;

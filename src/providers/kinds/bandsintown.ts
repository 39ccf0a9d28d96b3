/** Bandsintown's API of artists' concerts, version 3.0 (rest.bandsintown.com). */

import { addressOf, isAddress, keyedRequest, type ProviderApi, withDefaults } from '../api-request.ts';
import { addressLine } from '../fields/address-line.ts';
import { flagAt, isObject, listAt, textAt, textsOf, urlAt, valueAt } from '../fields/json-fields.ts';
import { pointOf } from '../fields/points.ts';
import { dayOf, momentOf } from '../fields/two-clocks.ts';
import { eventListing, type VenueListing } from '../listing.ts';
import type { OutgoingRequest, Provider, SourceFacts } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { eventReading, type RecordReading, readRecords } from '../read-records.ts';
import { parseJson } from '../reading/parse-json.ts';

export const bandsintown: Provider = {
  kind: 'bandsintown',
  mapping: 'over',
  keySetting: 'BANDSINTOWN_APP_ID',
  request: firstRequest,
  read(answer) {
    return { listings: readRecords(recordsOf(parseJson(answer.body)), answer.body.length, readEvent), next: [] };
  },
};

/** The location is an address, or the name of an artist: the API lists events of one artist at a time. */
function firstRequest(source: SourceFacts): OutgoingRequest {
  const { location } = source;
  // A slash in a name has to be escaped twice there (API reference, "Artist name").
  const artist = encodeURIComponent(location.trim()).replaceAll('%2F', '%252F');
  const url = isAddress(location) ? addressOf(location) : new URL(`${API.base}/artists/${artist}/events`);
  return keyedRequest(withDefaults(url, { date: 'upcoming' }), source, API);
}

function recordsOf(document: unknown): readonly unknown[] {
  if (Array.isArray(document)) return document;
  throw new ProviderError('not_of_the_kind', 'the response is not a list of Bandsintown events');
}

function readEvent(record: unknown): RecordReading {
  const lineup = textsOf(listAt(record, 'lineup'), '');
  const isFestival = textAt(record, 'festival_start_date') !== null;
  const [title, datetime] = [textAt(record, 'title'), textAt(record, 'starts_at') ?? textAt(record, 'datetime')];
  const hasNoHour = textAt(record, 'datetime_display_rule') === 'date';
  return eventReading(
    eventListing({
      externalId: textAt(record, 'id'),
      // A title is mostly "artist @ place"; the name of a festival is worth more than that of one of its bands.
      title: isFestival ? (title ?? lineup[0] ?? null) : (lineup[0] ?? title),
      category: isFestival ? 'festival' : 'concert',
      categoryWords: ['music'],
      // The clock of the venue, without offset.
      start: hasNoHour ? dayOf(datetime) : momentOf(datetime, null),
      end: momentOf(textAt(record, 'ends_at'), null),
      description: textAt(record, 'description'),
      image: urlAt(record, 'artist.image_url'),
      url: withoutKey(urlAt(record, 'url')),
      isFree: flagAt(record, 'free') === true ? true : null,
      status: isSoldOut(listAt(record, 'offers')) ? 'sold_out' : null,
      performers: lineup,
      isOnline: textAt(record, 'venue.type') === 'Virtual',
      venue: readVenue(valueAt(record, 'venue')),
    }),
  );
}

/** Links in an answer repeat the key that was sent. */
function withoutKey(url: string | null): string | null {
  if (url === null) return null;
  const clean = new URL(url);
  clean.searchParams.delete('app_id');
  return clean.href;
}

function isSoldOut(offers: readonly unknown[]): boolean {
  return offers.length > 0 && offers.every((offer) => /^sold.?out$/i.test(textAt(offer, 'status') ?? ''));
}

function readVenue(venue: unknown): Partial<VenueListing> {
  if (!isObject(venue)) return {};
  const point = pointOf(venue.latitude, venue.longitude);
  const region = [textAt(venue, 'region'), textAt(venue, 'postal_code')];
  return {
    externalId: textAt(venue, 'id'),
    name: textAt(venue, 'name'),
    address: addressLine([textAt(venue, 'street_address'), textAt(venue, 'city'), region]),
    ...point,
  };
}

const API: ProviderApi = {
  base: 'https://rest.bandsintown.com',
  keySetting: 'BANDSINTOWN_APP_ID',
  keyIn: { query: 'app_id' },
};

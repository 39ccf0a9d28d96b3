/** From a provider's listing to drafts: what is plainly meant is mended, what cannot be an event is refused with a reason. */

import type { CityTime } from '../catalog/index.ts';
import { EVENT_STATUSES, VENUE_TYPES } from '../catalog/index.ts';
import type { EventListing, VenueListing } from '../providers/index.ts';
import type { Checked } from './checks.ts';
import type { EventDraft, VenueDraft } from './drafts.ts';
import { guessVenueType } from './normalize/guess-venue-type.ts';
import { createEventParser } from './parse-event.ts';
import { parseVenue } from './parse-venue.ts';
import type { KnownVenue, Place, PlaceBook } from './place-book.ts';

/** An event of a source, with the venue it brings along: null when the directory has that venue already. */
export interface SourceEvent {
  externalId: string;
  id: null;
  event: EventDraft;
  venue: VenueDraft | null;
  venueId: string;
}

/** The rules of mending are listed in docs/providers.md. */
export function createNormalizer(options: { sourceName: string; cityTime: CityTime; places: PlaceBook }) {
  const { sourceName, cityTime, places } = options;
  const parseEvent = createEventParser(cityTime);

  /** A venue that is listed for its own sake; it must say where it is. */
  function venue(listing: VenueListing): Checked<VenueDraft> {
    const place = placeOf(listing, places);
    if (!place) return unplaced(listing);
    return parseVenue(venueLine(listing, listing.externalId, place, null, places));
  }

  function event(listing: EventListing): Checked<SourceEvent> {
    const { venue: at } = listing;
    if (at.name === null) return { ok: false, field: 'venue.name', reason: 'wanted the name of a venue, got nothing' };
    const place = placeOf(at, places);
    if (!place) return unplaced(at);
    const known: KnownVenue =
      at.externalId === null ? places.note(at.name, place) : { ...place, externalId: at.externalId, isNew: true };
    const draft = known.isNew ? parseVenue(venueLine(at, known.externalId, known, listing.category, places)) : null;
    if (draft && !draft.ok) return { ...draft, field: `venue.${draft.field}` };
    const parsed = parseEvent(eventLine(listing, known.externalId));
    if (!parsed.ok) return parsed;
    return {
      ok: true,
      value: {
        externalId: parsed.value.externalId,
        id: null,
        event: parsed.value,
        venue: draft?.value ?? null,
        venueId: known.externalId,
      },
    };
  }

  function eventLine(listing: EventListing, venueId: string): object {
    const prices = mendPrices(listing);
    return {
      externalId: listing.externalId,
      title: listing.title === null ? null : oneLine(listing.title),
      category: listing.category,
      startDatetime: listing.start,
      endDatetime: listing.start === null || listing.end === null ? null : mendEnd(listing.start, listing.end, cityTime),
      description: listing.description === null ? null : printable(listing.description),
      imageUrl:
        listing.image !== null && /^https?:\/\/[^\s\p{Cc}]{1,2000}$/iu.test(listing.image) && URL.canParse(listing.image)
          ? listing.image
          : null,
      ...prices,
      venue: venueId,
      status: EVENT_STATUSES.find((status) => status === listing.status) ?? 'scheduled',
      performers: listing.performers.map(oneLine),
      tags: listing.tags.map(oneLine),
      sources: listing.sources.length > 0 ? listing.sources.map(oneLine) : [sourceName],
    };
  }

  return { venue, event };
}

function placeOf(listing: VenueListing, places: PlaceBook): Place | null {
  const { latitude, longitude } = listing;
  if (latitude !== null && longitude !== null) return { latitude, longitude };
  return listing.name === null ? null : places.find(listing.name, listing.hints);
}

function unplaced(listing: VenueListing): Checked<never> {
  const name = JSON.stringify(listing.name?.slice(0, 64) ?? '');
  return { ok: false, field: 'venue.latitude', reason: `wanted coordinates or a venue that is known, got neither for ${name}` };
}

function venueLine(
  listing: VenueListing,
  externalId: string | null,
  place: Place,
  category: string | null,
  places: PlaceBook,
): object {
  const name = listing.name === null ? null : oneLine(listing.name);
  return {
    externalId,
    name,
    type: VENUE_TYPES.find((type) => type === listing.type) ?? guessVenueType(name ?? '', category),
    address: listing.address === null ? null : oneLine(listing.address),
    latitude: place.latitude,
    longitude: place.longitude,
    capacityTier: listing.capacityTier,
    isVerified: listing.isVerified ?? false,
    neighborhood: listing.neighborhood === null ? null : places.neighborhood(listing.neighborhood),
    metadata: { website: listing.website },
    ...(place.isApproximate ? { isApproximate: true } : {}),
  };
}

/** An end before the start is often the next morning; anything else of the kind is a mistake, and the end is unknown. */
function mendEnd(start: string, end: string, cityTime: CityTime): string | null {
  const [from, to] = [instantOf(start, cityTime), instantOf(end, cityTime)];
  if (from === null || to === null || to >= from) return end;
  const next = to + MS_PER_DAY;
  return next > from && next - from <= OVERNIGHT_MS ? new Date(next).toISOString() : null;
}

function instantOf(text: string, cityTime: CityTime): number | null {
  try {
    return HAS_OFFSET.test(text) ? Temporal.Instant.from(text).epochMilliseconds : cityTime.resolve(text);
  } catch {
    return null;
  }
}

/** Numbers are believed over words: what costs something is not free, what costs nothing is. Impossible amounts are unknown. */
function mendPrices({ isFree, priceMin, priceMax }: EventListing): Pick<EventDraft, 'isFree' | 'priceMin' | 'priceMax'> {
  const known = [priceMin, priceMax].map((price) => (price !== null && price >= 0 && price <= MOST_PRICE ? price : null));
  const [least, most] = known as [number | null, number | null];
  if ((least ?? 0) > 0 || (most ?? 0) > 0) {
    const swapped = least !== null && most !== null && least > most;
    return { isFree: false, priceMin: swapped ? most : least, priceMax: swapped ? least : most };
  }
  const free = isFree ?? (least === 0 || most === 0);
  return { isFree: free, priceMin: free ? 0 : null, priceMax: free ? 0 : null };
}

/** Control characters, and the invisible letters that only machines read (Unicode block "Tags"), say nothing to people. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/(?![\t\n])\p{Cc}|[\u{E0000}-\u{E007F}]/gu, '');
}

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

const HAS_OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;
const MS_PER_DAY = 86_400_000;
/** Longer than any night out that ends before it began. */
const OVERNIGHT_MS = 12 * 3_600_000;
/** Above it a number is no price of a ticket. */
const MOST_PRICE = 1_000_000;

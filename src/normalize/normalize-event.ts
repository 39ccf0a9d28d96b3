/** An untrusted event listing into facts, or a refusal. */

import { type EventListing, plainText, type VenueListing } from '../providers/index.ts';
import { categorize } from './categories/category.ts';
import { refuseNonEvent } from './categories/not-events.ts';
import { LIMITS } from './limits.ts';
import {
  type Fix,
  type NormalContext,
  type NormalEvent,
  type NormalizedEvent,
  type NormalizedVenue,
  type Rejected,
  type RepairCode,
  refused,
} from './model.ts';
import { readPerformers } from './performers.ts';
import { normalizePlace } from './place.ts';
import { normalizePrice } from './price.ts';
import { hasMovedOnline, normalizeStatus } from './status.ts';
import { cutAtWord, idOf, lines, oneLine } from './text.ts';
import { normalizeTimes } from './times.ts';
import { cutOwnDay } from './titles/own-day.ts';
import { type CleanTitle, cleanTitle } from './titles/title.ts';
import { webAddress } from './web-address.ts';

/** Pure, and never throws but for a city whose zone does not exist. The rules are described in docs/normalizing.md. */
export function normalizeEvent(listing: EventListing, context: NormalContext): NormalizedEvent {
  const repairs = new Set<RepairCode>();
  const fix = (code: RepairCode) => void repairs.add(code);
  const { city } = context;
  const externalId = readId(listing.externalId);
  if (typeof externalId !== 'string') return externalId;
  const said = cleanTitle(listing.title, { city, venueName: listing.venue.name });
  const refusal =
    refuseGarbled('title', listing.title) ??
    refuseGarbled('venue.name', listing.venue.name) ??
    refuseByTitle(listing, said) ??
    refuseOnline(listing);
  if (refusal) return refusal;
  for (const code of said.repairs) fix(code);

  const when = normalizeTimes(listing, context, fix);
  if (!when.ok) return when;
  const title = cutOwnDay(said.title, when.times.localStart, city.locale);
  if (title !== said.title) fix('day_cut');
  const providers = listing.sources.length > 0 ? listing.sources : [context.sourceName];
  const kind = categorize(listing, { title, venueName: oneLine(listing.venue.name), providers, times: when.times });
  const where = normalizePlace(listing.venue, city, fix);
  if (!where.ok) return where;

  const sources = lines(listing.sources, LIMITS.source, LIMITS.sources);
  const description = readDescription(listing.description, fix);
  const billed = { title, description, category: kind.category, venueName: where.place.name };
  return {
    ok: true,
    event: {
      externalId,
      seriesId: cutAtWord(idOf(listing.seriesId), LIMITS.externalId) || null,
      title,
      ...kind,
      ...when.times,
      description,
      imageUrl: readAddress(listing.image, fix),
      url: readAddress(listing.url, fix),
      ...normalizePrice(listing, fix),
      status: normalizeStatus(listing.status, said, { localStart: when.times.localStart, locale: city.locale }),
      performers: readPerformers(listing, billed, city.locale),
      tags: lines([...listing.tags, ...said.tags], LIMITS.tag, LIMITS.tags),
      sources: sources.length > 0 ? sources : [cutAtWord(oneLine(context.sourceName), LIMITS.source)],
      organizer: readOrganizer(listing, fix),
      place: where.place,
      repairs: [...repairs].sort(),
      ...(said.ticket === null ? {} : { ticket: said.ticket }),
    },
  };
}

/** A venue that is listed for its own sake. */
export function normalizeVenue(listing: VenueListing, { city }: NormalContext): NormalizedVenue {
  const repairs = new Set<RepairCode>();
  const id = readId(listing.externalId);
  if (typeof id !== 'string') return id;
  const garbled = refuseGarbled('name', listing.name);
  if (garbled) return garbled;
  const where = normalizePlace(listing, city, (code) => void repairs.add(code));
  if (!where.ok) return { ...where, field: where.field.replace('venue.', '') };
  return { ok: true, venue: where.place, repairs: [...repairs].sort() };
}

function readId(id: string | null): string | Rejected {
  const clean = idOf(id);
  if (clean === '') return refused('externalId', 'no_id', 'wanted an id, got nothing');
  const length = [...clean].length;
  if (length <= LIMITS.externalId) return clean;
  return refused('externalId', 'no_id', `wanted an id of at most ${LIMITS.externalId} characters, got ${length}`);
}

/** A replacement mark stands where characters were lost: a name with one is that of nothing. */
function refuseGarbled(field: string, listed: string | null): Rejected | null {
  if (listed === null || !LOST.test(listed)) return null;
  return refused(field, 'garbled', `wanted readable text, got ${JSON.stringify(listed.slice(0, MAX_PRINTED))}`);
}

/** By the title as it came, and by what is left of it. A lottery or a package that names its event is a listing of it. */
function refuseByTitle(listing: EventListing, { title: cleaned, ticket }: CleanTitle): Rejected | null {
  const title = cutAtWord(oneLine(listing.title), LIMITS.title);
  const refusal = refuseNonEvent(title, listing);
  const isListed =
    ticket === 'part' && (refusal?.code === 'lottery' || refusal?.code === 'ticket_package') && refusal.field === 'title';
  if (refusal && !isListed) return refusal;
  return cleaned === title ? null : refuseNonEvent(cleaned, listing);
}

function readDescription(listed: string | null, fix: Fix): string | null {
  const text = listed === null ? '' : plainText(listed);
  const description = cutAtWord(text, LIMITS.description);
  if (description !== text) fix('text_cut');
  return description || null;
}

/** A page without a name says nothing to people. */
function readOrganizer({ organizer, organizerUrl }: EventListing, fix: Fix): NormalEvent['organizer'] {
  const name = cutAtWord(oneLine(organizer), LIMITS.organizer);
  return name === '' ? null : { name, url: readAddress(organizerUrl, fix) };
}

function readAddress(listed: string | null, fix: Fix): string | null {
  const address = webAddress(listed);
  if (address === null && listed) fix('address_dropped');
  return address;
}

/** With a place beside it one may go there all the same. */
function refuseOnline({ isOnline, status, venue }: EventListing): Rejected | null {
  const hasPlace =
    oneLine(venue.name) !== '' || (venue.latitude !== null && venue.longitude !== null) || oneLine(venue.address) !== '';
  if ((!isOnline || hasPlace) && !hasMovedOnline(status)) return null;
  return refused('venue.name', 'online', 'it takes place online only');
}

/** The replacement mark, also as an entity. */
const LOST = /\ufffd|&#(?:0*65533|x0*fffd);/i;
const MAX_PRINTED = 64;

/** An untrusted event listing into facts, or a refusal. */

import { type EventListing, plainText, type VenueListing } from '../../providers/index.ts';
import { type Category, EVENT_STATUSES, type EventStatus } from '../../records/index.ts';
import { categorize } from '../categories/category.ts';
import { refuseNonEvent } from '../categories/not-events.ts';
import { LIMITS } from '../limits.ts';
import {
  type Fix,
  type NormalContext,
  type NormalEvent,
  type NormalizedEvent,
  type NormalizedVenue,
  type Rejected,
  type RepairCode,
  refused,
} from '../model.ts';
import { lineupOf, parseBill } from '../parse-bill.ts';
import { cutAtWord, idOf, lines, oneLine, webAddress } from '../text.ts';
import { fieldStatus, gravest } from '../titles/status-grammar.ts';
import { type CleanTitle, cleanTitle } from '../titles/title.ts';
import { type TitleStatus, takeStatus } from '../titles/title-status.ts';
import { cutOwnDay, type TitleDay, wordKey } from '../titles/title-words.ts';
import { normalizePlace, refuseNameless } from './place.ts';
import { normalizePrice } from './price.ts';
import { normalizeTimes } from './times.ts';

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
  const where = normalizePlace(listing.venue, context, fix);
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
export function normalizeVenue(listing: VenueListing, context: NormalContext): NormalizedVenue {
  const repairs = new Set<RepairCode>();
  const id = readId(listing.externalId);
  if (typeof id !== 'string') return id;
  const garbled = refuseGarbled('name', listing.name);
  if (garbled) return garbled;
  const where = normalizePlace(listing, context, (code) => void repairs.add(code));
  const checked = where.ok && where.place.name === '' ? refuseNameless(oneLine(listing.name)) : where;
  if (!checked.ok) return { ...checked, field: checked.field.replace('venue.', '') };
  return { ok: true, venue: checked.place, repairs: [...repairs].sort() };
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

export interface BilledListing {
  title: string;
  description: string | null;
  category: Category;
  venueName: string;
}

/** The provider's names stand as they are, without marks such as `~ CANCELED`. A play or a talk has a title, not a bill. */
function readPerformers({ performers }: Pick<EventListing, 'performers'>, billed: BilledListing, locale: string): string[] {
  const names = (texts: readonly string[]) =>
    lines(withoutMarks(texts.slice(0, 2 * LIMITS.performers), locale), LIMITS.performer, LIMITS.performers);
  const listed = names(performers);
  if (listed.length > 0 || !BILLED.has(billed.category)) return listed;
  const titled = parseBill(billed.title, billed.venueName)
    .acts.filter(({ isCertain, role }) => isCertain && role !== 'presenter' && role !== 'member')
    .map(({ name }) => name);
  // The title of a night or of a comedy show is no name; several names in it are.
  const named = titled.length > 1 || (billed.category === 'concert' && isName(titled[0] ?? '')) ? titled : [];
  const described = billed.description === null ? [] : lineupOf(billed.description);
  return names([...named, ...described]);
}

/** A text that is nothing but a mark names nobody. */
function withoutMarks(texts: readonly string[], locale: string): string[] {
  return texts.flatMap((text) => {
    const { title, status } = takeStatus(oneLine(text), locale);
    const isMarkAlone = status !== null && takeStatus(title, locale).status !== null;
    return isMarkAlone ? [] : [title];
  });
}

/** `Piano in Copper Park` says where. */
const isName = (text: string): boolean =>
  text !== '' && text.split(' ').length <= MAX_NAME_WORDS && !/\s(?:at|in|on)\s/i.test(text);

const BILLED: ReadonlySet<Category> = new Set<Category>(['concert', 'nightlife', 'comedy']);
/** A longer title is a sentence. */
const MAX_NAME_WORDS = 6;

/**
 * The graver of the two counts. A title that says `RESCHEDULED TO 6/27` on a listing of another day is about a date that no longer
 * holds: that one is postponed. On the listing of that day the event is rescheduled, whatever the word.
 */
function normalizeStatus(
  said: string | null,
  title: Omit<TitleStatus, 'title'>,
  { localStart, locale }: { localStart: string; locale: string },
): EventStatus {
  const marked = takenStatus(said, locale);
  return gravest(movedStatus(marked, localStart), movedStatus(title, localStart)) ?? 'scheduled';
}

function movedStatus({ status, movedTo, movedFrom }: Omit<TitleStatus, 'title'>, localStart: string): EventStatus | null {
  if (status !== 'rescheduled' && status !== 'postponed') return status;
  if (movedTo) return isDay(movedTo, localStart) ? 'rescheduled' : 'postponed';
  if (movedFrom) return isDay(movedFrom, localStart) ? 'postponed' : 'rescheduled';
  return status;
}

/**
 * `EventPostponed`, `https://schema.org/EventCancelled`, `sold_out`, `fällt leider aus`. Words that say nothing of it, such as `offsale`,
 * give null.
 */
function takenStatus(said: string | null, locale: string): Omit<TitleStatus, 'title'> {
  const none = { status: null, movedTo: null, movedFrom: null };
  if (said === null) return none;
  const own = EVENT_STATUSES.find((status) => status === said);
  if (own) return { ...none, status: own };
  const words = oneLine(said.slice(0, MAX_CHARS))
    .replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '')
    .replace(/^Event(?=[A-Z_])/, '');
  const joined = wordKey(words).replace(/[^\p{L}\p{N}]+/gu, '');
  const status = fieldStatus(joined) ?? fieldStatus(joined.replace(/^event/, ''));
  return status ? { ...none, status } : takeStatus(words.replaceAll('_', ' '), locale);
}

/** Whether the provider says that the event has moved to the net. */
function hasMovedOnline(said: string | null): boolean {
  return said !== null && /movedonline|online_?event|offline_?to_?online/i.test(said);
}

const isDay = ({ month, day }: TitleDay, localStart: string): boolean => localStart.slice(5, 10) === `${two(month)}-${two(day)}`;
const two = (number: number): string => String(number).padStart(2, '0');

/** A longer text is no status. */
const MAX_CHARS = 300;

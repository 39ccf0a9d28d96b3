/** What the sources of events list by now, read from their records: the directory without corrections. */

import type { Kysely } from 'kysely';
import {
  type BundleListing,
  believedStart,
  bundleWord,
  byAge,
  type ClockFinding,
  type EventRecord,
  FIRST_WORD,
  linksOf,
  type Member,
  mergeEvent,
  type NormalEvent,
  OWN_WORD,
  type StoredFacts,
  venueFinder,
  type Word,
  wordOf,
} from '../../facts/index.ts';
import { readCity } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { type CityTime, createCityTime } from '../../values/city-time.ts';
import { loadListingsOfEvents, loadPlaces } from '../records/load-listings.ts';
import { readVenueRecords } from '../records/read-records.ts';
import type { UnscoredEvent } from '../scores/score-events.ts';
import { loadClocks } from '../sources/source-state.ts';
import { BUNDLE_SOURCE } from '../sources/sources.ts';
import { type CorrectableEventField, EVENT_RULES } from './correctable-fields.ts';

export interface ProvenanceRecord {
  id: string;
  source: string;
  /** As the source names it: the same as `source` unless it passes on the listings of others. */
  provider: string;
  externalId: string;
  /** Its page at the provider. */
  url: string | null;
  firstSeenAt: number;
  /** When its source said it last; for one that is said no longer, when that was noticed. */
  confirmedAt: number;
  isGone: boolean;
  /** What was repaired in it, by the fixed names of docs/normalizing.md. */
  repairs: readonly string[];
  /** It came with an imported bundle. */
  isBundle: boolean;
}

/** Whose value counts for a field, and what the others list. */
export interface SourceField {
  field: CorrectableEventField;
  value: unknown;
  /** Null where several records make the value together. */
  recordId: string | null;
  why: string;
  others: { recordId: string; value: unknown }[];
}

export interface EventSourceValues {
  records: ProvenanceRecord[];
  /** Null when no record of it is left that says where it takes place. */
  said: UnscoredEvent | null;
  fields: SourceField[];
}

/** By event; of those that no source says any longer what was said last. */
export async function loadEventSourceValues(
  db: Kysely<Database>,
  eventIds: readonly string[],
): Promise<Map<string, EventSourceValues>> {
  const rows = await loadListingsOfEvents(db, eventIds);
  const clocks: Clocks = { findings: await loadClocks(db), cityTime: createCityTime((await readCity(db))?.timezone ?? 'UTC') };
  const places = await readPlacesOf(db, rows);
  const result = new Map<string, EventSourceValues>();
  for (const id of eventIds) {
    const own = rows.filter((row) => row.event_id === id);
    const records = own.map(trailRecord);
    const counting = speaking(own);
    const bySources = (some: readonly Row[]) => saidBySources(db, id, some, clocks, places);
    const told = counting.some(isBundle) ? await saidByBundle(id, counting, places, bySources) : await bySources(counting);
    result.set(id, { records, ...told });
  }
  return result;
}

type Row = Awaited<ReturnType<typeof loadListingsOfEvents>>[number];
interface Clocks {
  /** Of providers. */
  findings: ClockFinding[];
  cityTime: Pick<CityTime, 'dayBounds'>;
}
/** By source and external id. */
type Places = ReadonlyMap<string, { venueId: string; isApproximate: boolean }>;

function trailRecord(row: Row): ProvenanceRecord {
  const listing = row.listing as Partial<NormalEvent>;
  return {
    id: row.id,
    source: row.name,
    provider: (row.facts as StoredFacts | null)?.provider ?? row.name,
    externalId: row.external_id,
    url: listing.url ?? null,
    firstSeenAt: row.first_seen_at.getTime(),
    confirmedAt: (row.gone_at ?? (row.facts ? row.last_ok_at : null) ?? row.last_seen_at).getTime(),
    isGone: row.gone_at !== null,
    repairs: listing.repairs ?? [],
    isBundle: row.source_kind === BUNDLE_SOURCE,
  };
}

/** The present records, or those that went last. */
function speaking(rows: readonly Row[]): Row[] {
  const present = rows.filter(({ gone_at }) => gone_at === null);
  if (present.length > 0) return present;
  const last = Math.max(...rows.map(({ gone_at }) => gone_at?.getTime() ?? 0));
  return rows.filter(({ gone_at }) => gone_at?.getTime() === last);
}

type Told = Omit<EventSourceValues, 'records'>;

const isBundle = ({ source_kind }: Row): boolean => source_kind === BUNDLE_SOURCE;

/** The first listing of a bundle says it all; of the others stands what each would say. */
async function saidByBundle(
  id: string,
  rows: readonly Row[],
  places: Places,
  bySources: (rows: readonly Row[]) => Promise<Told>,
): Promise<Told> {
  const [first, ...later] = rows.filter(isBundle).sort((a, b) => byAge(ageOf(a, id), ageOf(b, id)));
  const venueId = first && places.get(placeKey(first.source_id, listingOf(first).venue))?.venueId;
  if (!first || venueId === undefined) return { said: null, fields: [] };
  const sources = rows.filter((row) => !isBundle(row));
  const providers = [...later.flatMap((row) => listingOf(row).sources), ...sources.map((row) => trailRecord(row).provider)];
  const { said: listed } = sources.length > 0 ? await bySources(sources) : { said: null };
  const said: UnscoredEvent = { ...bundleWord(listingOf(first), providers), links: listed?.links ?? [], id, venueId };
  const others: { recordId: string; said: UnscoredEvent }[] = later.flatMap((row) => {
    const place = places.get(placeKey(row.source_id, listingOf(row).venue))?.venueId;
    return place === undefined ? [] : [{ recordId: row.id, said: { ...bundleWord(listingOf(row)), id, venueId: place } }];
  });
  for (const row of sources) {
    const theirs = (await bySources([row])).said;
    if (theirs) others.push({ recordId: row.id, said: theirs });
  }
  const fields = (Object.keys(EVENT_RULES) as CorrectableEventField[]).map((field): SourceField => {
    const value = EVENT_RULES[field].read(said);
    const values = others.map((other) => ({ recordId: other.recordId, value: EVENT_RULES[field].read(other.said) }));
    const unlike = values.filter((other) => JSON.stringify(other.value) !== JSON.stringify(value));
    const disagreed = unlike.some(({ recordId }) => later.some(({ id: one }) => one === recordId)) ? FIRST_WORD : OWN_WORD;
    const agreed = values.length === 0 ? 'the only source' : 'all sources agree';
    return { field, value, recordId: first.id, why: unlike.length > 0 ? disagreed : agreed, others: values };
  });
  return { said, fields };
}

const listingOf = (row: Row): BundleListing => row.listing as BundleListing;
const ageOf = (row: Row, id: string): Member => ({
  id: row.id,
  ownId: row.own_id ?? id,
  targetId: id,
  firstSeenAt: row.first_seen_at.getTime(),
});

async function saidBySources(
  db: Kysely<Database>,
  id: string,
  rows: readonly Row[],
  { findings, cityTime }: Clocks,
  places: Places,
): Promise<Told> {
  const midnightOf = (day: string): number => cityTime.dayBounds(day).first;
  const members: EventRecord[] = rows.flatMap((row) => {
    const facts = row.facts as StoredFacts | null;
    if (!facts || !row.starts_at) return [];
    const common = { id: row.id, ownId: row.own_id ?? id, targetId: id, firstSeenAt: row.first_seen_at.getTime() };
    const said = { sourceId: row.source_id, externalId: row.external_id, contentHash: row.content_hash, facts };
    return [
      { ...common, ...said, startsAt: row.starts_at.getTime(), night: row.night ?? '', listing: row.listing as NormalEvent },
    ];
  });
  const confirmed = new Map(rows.map((row) => [row.id, { trust: row.trust, confirmedAt: trailRecord(row).confirmedAt }]));
  const words = members.flatMap((member): Word[] => {
    const { trust = 0, confirmedAt = 0 } = confirmed.get(member.id) ?? {};
    const record = { id: member.id, provider: member.facts.provider, trust, confirmedAt };
    return member.listing ? [wordOf(record, member.listing, believedStart(member, { findings }, midnightOf))] : [];
  });
  if (words.length === 0) return { said: null, fields: [] };
  const venueId = await findVenue(db, members, words, places);
  const fields: SourceField[] = [];
  const event = mergeEvent(words, (provenance) => fields.push(provenance));
  const said = venueId === undefined ? null : { ...event, id, venueId };
  const here = members.map((member) => ({ recordId: member.id, value: places.get(keyOf(member))?.venueId ?? null }));
  const winner = here.find(({ value }) => value === venueId);
  const why = here.length === 1 ? 'the only source' : 'the most trusted source that lists the place';
  if (said)
    fields.push({
      field: 'venue',
      value: venueId,
      recordId: winner?.recordId ?? null,
      why,
      others: here.filter((each) => each !== winner),
    });
  const tags = words.map(({ recordId, listing }) => ({ recordId, value: listing.tags }));
  const links = words.map((word) => ({ recordId: word.recordId, value: linksOf([word]) }));
  const joined = { recordId: null, why: 'the values of all sources' };
  fields.push({ ...joined, field: 'tags', value: event.tags, others: tags });
  fields.push({ ...joined, field: 'links', value: event.links, others: links });
  return { said, fields };
}

async function findVenue(
  db: Kysely<Database>,
  members: readonly EventRecord[],
  words: readonly Word[],
  places: Places,
): Promise<string | undefined> {
  const isExact = (member: EventRecord) => places.get(keyOf(member))?.isApproximate === false;
  // Only who must be looked for by name needs to know all places.
  const venueRecords = members.some(isExact) ? [] : await readVenueRecords(db);
  const targets = new Map(venueRecords.map(({ id, targetId }) => [id, targetId ?? undefined]));
  const find = venueFinder({
    venueRecords,
    venues: {
      venueOf: (recordId) => targets.get(recordId),
      venueOfKey: (source, key) => places.get(placeKey(source, key))?.venueId,
    },
    approximate: new Set([...places].flatMap(([key, { isApproximate }]) => (isApproximate ? [key] : []))),
  });
  return find({ members }, words);
}

async function readPlacesOf(db: Kysely<Database>, rows: readonly Row[]): Promise<Places> {
  const keys = rows.flatMap((row) => {
    const key = (row.facts as StoredFacts | null)?.venueKey ?? (row.facts ? null : (row.listing as { venue?: string }).venue);
    return key ? [{ sourceId: row.source_id, externalId: key }] : [];
  });
  const found = await loadPlaces(db, keys);
  return new Map(found.map((place) => [placeKey(place.sourceId, place.externalId), place]));
}

const placeKey = (source: string, key: string): string => `${source} ${key}`;
const keyOf = ({ sourceId, facts: { venueKey } }: EventRecord): string => placeKey(sourceId, venueKey ?? '');

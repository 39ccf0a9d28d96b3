/** All that the desk’s page of one event or venue shows: every field with its source, its listings, and what happened to it. */

import { data, type LoaderFunctionArgs, redirect } from 'react-router';
import {
  type FieldProvenance,
  findEvents,
  findVenues,
  type HistoryChange,
  type HistoryEntry,
  type ListedValue,
  learnedAliases,
  loadCoListings,
  loadListedTitles,
  loadProvenance,
  loadVenueProvenance,
  type Provenance,
  type ProvenanceRecord,
  readDecisions,
  readHistory,
} from '../../ingest/index.ts';
import {
  loadNextAtVenue,
  loadTitle,
  loadVenueNames,
  loadVenuePlace,
  type RecordTitle,
  readCity,
  type StartPrecision,
} from '../../records/index.ts';
import type { Store } from '../../store/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { DAY_MS } from '../../values/duration.ts';
import { parseHttpUrl } from '../../values/http-url.ts';
import { isUuid } from '../../values/uuid.ts';
import type { Entity, FieldView, HistoryView, LearnedName, ListingView, MergeCandidate, RecordView } from '../model/desk.ts';
import { createMoments, type MomentFormat } from './desk.ts';
import { doneOf } from './desk-record-actions.ts';
import { FIELD_FORMS, type FormContext } from './desk-record-fields.ts';
import { drawMap } from './draw-map.ts';
import { newFormToken } from './forms.ts';
import { neighborhoodNames, readBorders } from './map-areas.ts';
import { type Rooms, rooms } from './rooms.ts';
import { requireOperator } from './viewer.ts';

/** Throws 404 for an unknown id, and a redirect for one that leads to another. */
export async function viewRecord(page: Pick<LoaderFunctionArgs, 'request' | 'context' | 'params'>, entity: Entity) {
  await requireOperator(page);
  const room = page.context.get(rooms);
  const { store, clocks } = room;
  const { searchParams } = new URL(page.request.url);
  const row = await readRecordRow(store, entity, page.params.id ?? '');
  if (!row) throw data(null, { status: 404 });
  if (row.mergedInto !== null) {
    const done = searchParams.get('done');
    throw redirect(`/desk/${entity}s/${row.mergedInto}?${new URLSearchParams({ from: row.id, ...(done && { done }) })}`);
  }
  const now = clocks.directory();
  const { fields, listings, hidden, context } = await readRecord(store, entity, row.id, now);
  const borders = await readBorders(store);
  const found = await readPlace(room, entity, row);
  const place = found && { ...found, neighborhood: neighborhoodNames(borders)(found.neighborhood) };
  const wanted = (searchParams.get('merge') ?? '').slice(0, MAX_WORDS_CHARS);
  const view: RecordView = {
    entity,
    id: row.id,
    slug: row.slug,
    title: row.title,
    state: row.state,
    fields,
    listings,
    hidden,
    isVenueHidden: entity === 'event' && place?.state === 'hidden',
    history: formatHistory(entity, await readHistory({ store, entity, id: row.id }), context),
    map: place && drawMap(borders, [{ letter: entity === 'event' ? 'The venue' : 'It', ...place }]),
    merge: {
      query: wanted,
      candidates: wanted === '' ? [] : await findCandidates(room, entity, row, { wanted, context, now }),
    },
    token: newFormToken(),
    done: doneOf(page.request),
    cameFrom: uuidOf(searchParams.get('from')),
  };
  const hours = entity === 'venue' ? await readUpcoming(room, row.id, context, now) : [];
  const learned = entity === 'venue' ? await readLearnedNames(store, listings) : [];
  return { view, place, upcoming: hours, learned };
}

async function readPlace({ store }: Rooms, entity: Entity, row: RecordTitle) {
  const id = entity === 'event' ? row.venueId : row.id;
  if (id === null) return null;
  return await loadVenuePlace(store.db, id);
}

interface Looking {
  wanted: string;
  context: FormContext;
  now: number;
}

async function findCandidates(
  { store }: Rooms,
  entity: Entity,
  row: RecordTitle,
  { wanted, context, now }: Looking,
): Promise<MergeCandidate[]> {
  const options = { text: wanted, limit: MAX_CANDIDATES };
  if (entity === 'venue') {
    const { items } = await findVenues(store.db, options);
    const others = items.filter(({ id, state }) => id !== row.id && state !== 'merged' && state !== 'removed');
    return others.map(({ id, name, address, neighborhood }) => ({
      id,
      title: name,
      detail: [address, neighborhood].filter(Boolean).join(', '),
    }));
  }
  const { items } = await findEvents(store.db, { ...options, from: now - DAY_MS });
  const others = items.filter(({ id, state }) => id !== row.id && state !== 'merged' && state !== 'removed');
  return others.map(({ id, title, startsAt, precision, venueName, sources }) => ({
    ...{ id, title, detail: `${context.moments.start(startsAt, precision).text}, ${venueName} (${sources.join(', ')})` },
  }));
}

async function readUpcoming({ store }: Rooms, venueId: string, { moments }: FormContext, now: number) {
  const rows = await loadNextAtVenue(store.db, venueId, now, MAX_UPCOMING);
  return rows.map(({ startsAt, precision, ...event }) => ({ ...event, at: moments.start(startsAt, precision) }));
}

const uuidOf = (text: string | null): string | null => (text !== null && isUuid(text) ? text : null);

/** Null for an id that is none. */
async function readRecordRow({ db }: Store, entity: Entity, id: string): Promise<RecordTitle | null> {
  return isUuid(id) ? await loadTitle(db, entity, id) : null;
}

export async function loadFormContext(store: Store, now: number, venueIds: readonly string[] = []): Promise<FormContext> {
  const city = await readCity(store.db);
  const zone = city?.timezone ?? 'UTC';
  const names = await loadVenueNames(store.db, venueIds);
  return {
    moments: createMoments(zone, now),
    cityTime: createCityTime(zone),
    currency: city?.currency ?? '',
    precision: 'time',
    venueName: (id) => names.get(id) ?? id,
  };
}

interface ReadRecord {
  fields: FieldView[];
  listings: ListingView[];
  hidden: { by: string; at: ReturnType<MomentFormat['format']>; note: string | null } | null;
  context: FormContext;
  provenance: Provenance;
}

async function readRecord(store: Store, entity: Entity, id: string, now: number): Promise<ReadRecord> {
  const provenance =
    entity === 'event' ? await loadProvenance({ store, eventId: id }) : await loadVenueProvenance({ store, venueId: id });
  const context = { ...(await loadFormContext(store, now, venuesIn(provenance))), precision: precisionOf(provenance) };
  const titles = await loadListedTitles(
    store.db,
    provenance.records.map(({ id: recordId }) => recordId),
  );
  const records = new Map(provenance.records.map((record) => [record.id, record]));
  const { hidden } = provenance;
  return {
    fields: provenance.fields.map((field) => viewField(entity, id, field, { context, records })),
    listings: provenance.records.map((record) => viewListing(record, titles, context)),
    hidden: hidden && { by: hidden.by, at: context.moments.format(hidden.at), note: hidden.note },
    context,
    provenance,
  };
}

interface RecordContext {
  context: FormContext;
  records: ReadonlyMap<string, ProvenanceRecord>;
}

function viewField(entity: Entity, id: string, provenance: FieldProvenance, { context, records }: RecordContext): FieldView {
  const form = FIELD_FORMS[entity][provenance.field];
  if (!form) throw new Error(`no form for the field ${provenance.field}`);
  const print = (value: unknown) => form.print(value, context);
  const sourceOf = (recordId: string) => records.get(recordId)?.provider ?? '';
  const { correction } = provenance;
  return {
    field: provenance.field,
    label: form.label,
    hint: form.hint ?? null,
    input: form.input,
    shown: print(provenance.value),
    typed: form.type(provenance.value, context),
    from: provenance.recordId === null ? '' : sourceOf(provenance.recordId),
    why: provenance.why,
    others: provenance.others.map((other) => ({ source: sourceOf(other.recordId), text: print(other.value) })),
    correction: correction && {
      by: correction.by,
      at: context.moments.format(correction.at),
      note: correction.note,
      own: correction.targetId === id,
      before: print(correction.before),
    },
  };
}

function viewListing(record: ProvenanceRecord, titles: ReadonlyMap<string, string>, { moments }: FormContext): ListingView {
  const { id, source, provider, externalId, url, isGone, isBundle } = record;
  return {
    id,
    externalId,
    isGone,
    isBundle,
    repairs: record.repairs.join(', '),
    confirmed: moments.format(record.confirmedAt),
    source: source === provider ? source : `${source} (${provider})`,
    url: url !== null && parseHttpUrl(url) ? url : null,
    title: titles.get(id) ?? '',
  };
}

function precisionOf({ fields }: Provenance): StartPrecision {
  const start = fields.find(({ field }) => field === 'start')?.value as { precision?: StartPrecision } | undefined;
  return start?.precision ?? 'time';
}

function venuesIn({ fields }: Provenance): string[] {
  const venueFields = fields.filter(({ field }) => field === 'venue');
  const values = venueFields.flatMap(({ value, correction, others }) => [
    value,
    correction?.before,
    ...others.map((other) => other.value),
  ]);
  return values.filter((value) => typeof value === 'string');
}

/** The names of a venue that were learned from events listed twice, with the evidence. */
async function readLearnedNames({ db }: Store, listings: readonly ListingView[]): Promise<LearnedName[]> {
  const titles = new Map(listings.map(({ id, title }) => [id, title]));
  const decisions = (await readDecisions(db)).filter(({ kind }) => kind === 'venue');
  const aliases = learnedAliases(await loadCoListings(db, [...titles.keys()]), decisions);
  return aliases.flatMap(({ left, right, nights }) => {
    const [one, other] = [titles.get(left), titles.get(right)];
    if (one === undefined || other === undefined) return [];
    const samples = nights.slice(-MAX_SAMPLES).map(({ night, title }) => `${night}: ${title}`);
    return [{ id: `${left} ${right}`, names: `“${one}” and “${other}”`, nights: nights.length, samples }];
  });
}

/** What happened to an event or venue, in sentences. */
function formatHistory(entity: Entity, entries: readonly HistoryEntry[], context: FormContext): HistoryView[] {
  return entries.map((entry, index) => {
    const plain = { key: `${index}`, at: context.moments.format(entry.at), by: null, note: null, changes: [], act: null };
    return { ...plain, ...formatEntry(entity, entry, context) };
  });
}

function formatEntry(entity: Entity, entry: HistoryEntry, context: FormContext): EntryText {
  switch (entry.kind) {
    case 'told':
      return { what: `${CHANGES[entry.change] ?? entry.change} (change ${entry.seq})` };
    case 'listed':
      return formatListing(entry, context);
    case 'corrected':
    case 'uncorrected':
      return formatCorrection(entity, entry, context);
    case 'decided':
    case 'undecided':
      return formatDecision(entry);
  }
}

type EntryText = Pick<HistoryView, 'what'> & Partial<HistoryView>;
type EntryOf<Kind extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: Kind }>;

function formatListing({ source, what, externalId, runKind, changes }: EntryOf<'listed'>, context: FormContext): EntryText {
  const run = runKind === 'ingest' ? '' : ' when a run was undone';
  return {
    what: `${source} ${LISTED[what]} “${externalId}”${run}`,
    changes: changes.map((change) => formatListed(change, context)),
  };
}

function formatCorrection(
  entity: Entity,
  { kind, by, note, changes }: EntryOf<'corrected' | 'uncorrected'>,
  context: FormContext,
): EntryText {
  const undone = kind === 'uncorrected';
  const hides = changes.some(({ field }) => field === HIDDEN);
  const shown = changes.filter(({ field }) => field !== HIDDEN);
  return {
    by: by || null,
    note,
    what: CORRECTIONS[hides ? 'hidden' : 'values'][kind],
    changes: shown.map((change) => formatField(entity, change, context, undone)),
  };
}

function formatDecision({ kind, by, note, verdict, listings, stands, act }: EntryOf<'decided' | 'undecided'>): EntryText {
  const names = listings.map(({ title, source }) => `“${title}” (${source})`).join(', ');
  const marked = verdict === 'same' ? 'the same' : 'different';
  const undone = kind === 'undecided';
  return {
    by: by || null,
    note,
    what: undone ? `No longer marked ${marked}: ${names}` : `Marked ${marked}: ${names}`,
    act: !undone && stands ? act : null,
  };
}

function formatField(entity: Entity, { field, before, after }: HistoryChange, context: FormContext, undone: boolean) {
  const form = FIELD_FORMS[entity][field];
  const print = (value: unknown) => (form && value !== null ? form.print(value, context) : '');
  return { field: form?.label ?? field, before: print(before), after: undone ? 'the value of the sources' : print(after) };
}

function formatListed({ field, before, after, precision }: ListedValue, { moments }: FormContext) {
  const print = (value: unknown, hour: StartPrecision = 'time'): string => {
    if (value === null) return '';
    if (field === 'startsAt' && typeof value === 'number') return moments.start(value, hour).text;
    if (field === 'endsAt' && typeof value === 'number') return moments.end(value, hour).text;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
  };
  return { field, before: print(before, precision?.before), after: print(after, precision?.after) };
}

const MAX_CANDIDATES = 8;
const MAX_UPCOMING = 10;
const MAX_WORDS_CHARS = 200;
const MAX_SAMPLES = 3;
const HIDDEN = 'hidden';
const CORRECTIONS = {
  hidden: { corrected: 'Hidden', uncorrected: 'Published again' },
  values: { corrected: 'Corrected', uncorrected: 'Correction reverted' },
} as const;
const MAX_CHARS = 300;
const LISTED = { new: 'listed', changed: 'changed', gone: 'no longer lists', back: 'lists again' } as const;
const CHANGES: Readonly<Record<string, string>> = {
  created: 'Published',
  updated: 'Changed in the directory',
  cancelled: 'Canceled in the directory',
  rescheduled: 'Moved to another time in the directory',
  merged: 'Merged into another record',
  removed: 'Removed from the directory',
};

/** An event or venue as the desk shows it: every field with its source, its listings, what happened to it. */

import {
  type FieldProvenance,
  loadListedTitles,
  loadProvenance,
  loadVenueProvenance,
  type Provenance,
  type ProvenanceRecord,
} from '../../../../ingest/index.ts';
import { loadTitle, loadVenueNames, type RecordTitle, readCity, type StartPrecision } from '../../../../records/index.ts';
import type { Store } from '../../../../store/index.ts';
import { createCityTime } from '../../../../values/city-time.ts';
import { parseHttpUrl } from '../../../../values/http-url.ts';
import { isUuid } from '../../../../values/uuid.ts';
import type { Entity, FieldView, ListingView } from '../../../model/desk/record.ts';
import { createMoments, type MomentFormat } from '../moments.ts';
import { FIELD_FORMS, type FormContext } from './field-forms.ts';

/** Null for an id that is none. */
export async function readRecordRow({ db }: Store, entity: Entity, id: string): Promise<RecordTitle | null> {
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

export interface ReadRecord {
  fields: FieldView[];
  listings: ListingView[];
  hidden: { by: string; at: ReturnType<MomentFormat['format']>; note: string | null } | null;
  context: FormContext;
  provenance: Provenance;
}

export async function readRecord(store: Store, entity: Entity, id: string, now: number): Promise<ReadRecord> {
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

/** Where each field of an event or venue comes from, why that value counts, and what the other sources list. */

import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';
import {
  type ActiveCorrections,
  type CorrectedEntity,
  type Correction,
  loadActiveCorrections,
} from '../decisions/active-corrections.ts';
import { HIDDEN } from '../decisions/apply-corrections.ts';
import {
  type CorrectableEventField,
  type CorrectableVenueField,
  EVENT_RULES,
  VENUE_RULES,
} from '../decisions/correctable-fields.ts';
import { loadEventSourceValues, type ProvenanceRecord, type SourceField } from '../decisions/source-values-of-events.ts';
import { loadVenueSourceValues } from '../decisions/source-values-of-venues.ts';

export type { ProvenanceRecord } from '../decisions/source-values-of-events.ts';

export interface FieldProvenance {
  field: CorrectableEventField | CorrectableVenueField;
  /** What counts; in the forms of `EventValues` and `VenueValues`. */
  value: unknown;
  /** The record whose value counts; null where it is a correction, or the value of several records together. */
  recordId: string | null;
  why: string;
  /** What the records say that do not count. */
  others: { recordId: string; value: unknown }[];
  /** Null where nothing was corrected. */
  correction: Correction | null;
}

export interface Provenance {
  records: ProvenanceRecord[];
  /** In the order of `EVENT_FIELDS` or `VENUE_FIELDS`; of a record that no source says any longer, by what was said last. */
  fields: FieldProvenance[];
  /** The correction by which an operator hid it. */
  hidden: Correction | null;
}

type Store = { db: Kysely<Database> };

export async function loadProvenance({ store, eventId }: { store: Store; eventId: string }): Promise<Provenance> {
  const { records = [], fields = [] } = (await loadEventSourceValues(store.db, [eventId])).get(eventId) ?? {};
  return provenance(store.db, 'event', eventId, { records, fields });
}

export async function loadVenueProvenance({ store, venueId }: { store: Store; venueId: string }): Promise<Provenance> {
  return provenance(store.db, 'venue', venueId, await loadVenueSourceValues(store.db, venueId, NOWHERE));
}

interface Said {
  records: ProvenanceRecord[];
  fields: readonly (Omit<SourceField, 'field'> & Pick<FieldProvenance, 'field'>)[];
}

async function provenance(
  db: Kysely<Database>,
  entity: CorrectedEntity,
  id: string,
  { records, fields }: Said,
): Promise<Provenance> {
  const corrections: ActiveCorrections = (await loadActiveCorrections(db, entity, [id])).get(id) ?? new Map();
  const order = Object.keys(entity === 'event' ? EVENT_RULES : VENUE_RULES);
  const told = fields.map((field): FieldProvenance => {
    const correction = corrections.get(field.field) ?? null;
    if (!correction) return { ...field, correction };
    const overruled = field.recordId === null ? [] : [{ recordId: field.recordId, value: field.value }];
    const why = `correction by ${correction.by}, ${new Date(correction.at).toISOString()}`;
    return {
      field: field.field,
      value: correction.value,
      recordId: null,
      why,
      others: [...overruled, ...field.others],
      correction,
    };
  });
  return {
    records,
    fields: told.sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field)),
    hidden: corrections.get(HIDDEN) ?? null,
  };
}

/** The trail does not tell of neighborhoods, and reading all polygons takes long. */
const NOWHERE = () => null;

/** An event or venue as the desk shows it: every field with whose word it is, its listings, what happened to it. */

import { readCity } from '../../../catalog/index.ts';
import { createCityTime } from '../../../city/index.ts';
import { type FieldTrail, readTrail, readVenueTrail, type Trail, type TrailRecord } from '../../../curation/index.ts';
import type { Store } from '../../../store/index.ts';
import { isUuid } from '../../../values/uuid.ts';
import type { Entity, FieldView, ListingView } from '../../desk/directory/model.ts';
import { FIELD_FORMS, type Words } from './field-forms.ts';
import { createMoments, type Moments } from './moments.ts';

export interface RecordRow {
  id: string;
  slug: string;
  title: string;
  state: string;
  mergedInto: string | null;
  venueId: string | null;
}

/** Null for an id that is none. */
export async function readRecordRow({ db }: Store, entity: Entity, id: string): Promise<RecordRow | null> {
  if (!isUuid(id)) return null;
  if (entity === 'venue') {
    const row = await db
      .selectFrom('venue')
      .select(['id', 'slug', 'name as title', 'state', 'merged_into'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? { ...row, mergedInto: row.merged_into, venueId: null } : null;
  }
  const row = await db
    .selectFrom('event')
    .select(['id', 'slug', 'title', 'state', 'merged_into', 'venue_id'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? { ...row, mergedInto: row.merged_into, venueId: row.venue_id } : null;
}

export async function readWords(store: Store, now: number, venueIds: readonly string[] = []): Promise<Words> {
  const city = await readCity(store.db);
  const zone = city?.timezone ?? 'UTC';
  const rows =
    venueIds.length === 0
      ? []
      : await store.db
          .selectFrom('venue')
          .select(['id', 'name'])
          .where('id', 'in', [...new Set(venueIds)])
          .execute();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return {
    moments: createMoments(zone, now),
    cityTime: createCityTime(zone),
    currency: city?.currency ?? '',
    venueName: (id) => names.get(id) ?? id,
  };
}

export interface ReadRecord {
  fields: FieldView[];
  listings: ListingView[];
  hidden: { by: string; at: ReturnType<Moments['say']>; note: string | null } | null;
  words: Words;
  trail: Trail;
}

export async function readRecord(store: Store, entity: Entity, id: string, now: number): Promise<ReadRecord> {
  const trail = entity === 'event' ? await readTrail({ store, eventId: id }) : await readVenueTrail({ store, venueId: id });
  const words = await readWords(store, now, venuesIn(trail));
  const titles = await readTitles(store, trail.records);
  const records = new Map(trail.records.map((record) => [record.id, record]));
  const { hidden } = trail;
  return {
    fields: trail.fields.map((field) => viewField(entity, id, field, { words, records })),
    listings: trail.records.map((record) => viewListing(record, titles, words)),
    hidden: hidden && { by: hidden.by, at: words.moments.say(hidden.at), note: hidden.note },
    words,
    trail,
  };
}

interface Told {
  words: Words;
  records: ReadonlyMap<string, TrailRecord>;
}

function viewField(entity: Entity, id: string, trail: FieldTrail, { words, records }: Told): FieldView {
  const form = FIELD_FORMS[entity][trail.field];
  if (!form) throw new Error(`no form for the field ${trail.field}`);
  const print = (value: unknown) => form.print(value, words);
  const sourceOf = (recordId: string) => records.get(recordId)?.provider ?? '';
  const { correction } = trail;
  return {
    ...{ field: trail.field, label: form.label, hint: form.hint ?? null, input: form.input },
    shown: print(trail.value),
    typed: form.type(trail.value, words),
    from: trail.recordId === null ? '' : sourceOf(trail.recordId),
    why: trail.why,
    others: trail.others.map((other) => ({ source: sourceOf(other.recordId), text: print(other.value) })),
    correction: correction && {
      ...{ by: correction.by, at: words.moments.say(correction.at), note: correction.note, own: correction.targetId === id },
      before: print(correction.before),
    },
  };
}

function viewListing(record: TrailRecord, titles: ReadonlyMap<string, string>, { moments }: Words): ListingView {
  const { id, source, provider, externalId, url, isGone, isBundle } = record;
  return {
    ...{ id, externalId, isGone, isBundle, repairs: record.mended.join(', '), confirmed: moments.say(record.confirmedAt) },
    source: source === provider ? source : `${source} (${provider})`,
    // What a source calls an address may be anything; only what a browser may safely follow becomes a link.
    url: url !== null && /^https?:\/\//i.test(url) ? url : null,
    title: titles.get(id) ?? '',
  };
}

async function readTitles({ db }: Store, records: readonly TrailRecord[]): Promise<Map<string, string>> {
  if (records.length === 0) return new Map();
  const rows = await db
    .selectFrom('record')
    .select(['id', 'listing'])
    .where(
      'id',
      'in',
      records.map(({ id }) => id),
    )
    .execute();
  return new Map(
    rows.map(({ id, listing }) => {
      const { title, name } = listing as { title?: unknown; name?: unknown };
      return [id, String(title ?? name ?? '')];
    }),
  );
}

function venuesIn({ fields }: Trail): string[] {
  const said = fields.filter(({ field }) => field === 'venue');
  const values = said.flatMap(({ value, correction, others }) => [
    value,
    correction?.before,
    ...others.map((other) => other.value),
  ]);
  return values.filter((value) => typeof value === 'string');
}

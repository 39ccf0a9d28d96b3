/** Correcting an event or venue, and undoing it. The record follows in the same transaction. */

import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Check, checkNote, isRefusal } from '../../facts/index.ts';
import { type Change, loadSurvivor, readCity, recordChanges, redirectsOf } from '../../records/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import type { Refusal } from '../../values/refusal.ts';
import { isUuid } from '../../values/uuid.ts';
import {
  type ActiveCorrections,
  type CorrectedEntity,
  type Correction,
  loadActiveCorrections,
} from '../decisions/active-corrections.ts';
import { HIDDEN, readPlaces, valuesOf } from '../decisions/apply-corrections.ts';
import {
  checkWhole,
  EVENT_RULES,
  eventChecks,
  findField,
  putEvent,
  putVenue,
  VENUE_CHECKS,
  VENUE_RULES,
  wantedField,
} from '../decisions/correctable-fields.ts';
import { rebuildEvents, rebuildVenue } from '../decisions/rebuild.ts';
import { loadEventSourceValues } from '../decisions/source-values-of-events.ts';
import { loadVenueSourceValues } from '../decisions/source-values-of-venues.ts';
import { lockRecords } from '../records/records.ts';
import { settleScores, type UnscoredEvent } from '../scores/score-events.ts';

type Store = { db: Kysely<Database> };

export type CorrectionReason = 'unknown' | 'removed' | 'invalid';
export type CorrectionResult =
  | {
      ok: true;
      /** The record that was corrected: that of the id, or the one that it leads to. */
      id: string;
      /** Fields that were corrected, with the values before and after; empty when nothing was new. */
      changed: { field: string; before: unknown; after: unknown }[];
    }
  | Refusal<CorrectionReason>;

interface Common {
  store: Store;
  entity: CorrectedEntity;
  id: string;
  /** Who says so. */
  by: string;
  now?: () => number;
}

/**
 * Corrects fields of an event or venue, in the forms of `eventChecks` and `VENUE_CHECKS`, or with `hidden: true`. Fields have the names of
 * the API, too. The correction counts against all sources and imports until it is undone. All or nothing; the same correction twice is one.
 */
export async function correct(
  options: Common & { values: Readonly<Record<string, unknown>>; note?: string | null },
): Promise<CorrectionResult> {
  const { store, entity, values, by } = options;
  const now = (options.now ?? Date.now)();
  const note = checkNote(options.note);
  if (isRefusal(note)) return invalid('note', note.reason);
  return transact(store.db, async (trx) => {
    const subject = await readSubject(trx, entity, options.id);
    if (!subject.ok) return subject;
    const parsed = await parse(trx, entity, byField(entity, values, subject));
    if (!parsed.ok) return parsed;
    const refusal = subject.check(parsed.values);
    if (refusal) return refusal;
    const { id, corrections } = subject;
    const fresh = Object.entries(parsed.values).filter(([field, value]) => {
      const correction = corrections.get(field);
      return correction === undefined || correction.targetId !== id || !isDeepStrictEqual(correction.value, value);
    });
    if (fresh.length === 0) return { ok: true, id, changed: [] };
    const changed = fresh.map(([field, after]) => ({ field, before: subject.shown(field), after }));
    await revoke(
      trx,
      ownOf(
        corrections,
        id,
        fresh.map(([field]) => field),
      ),
      by,
      now,
    );
    await insert(
      trx,
      changed.map(({ field, before, after }) => ({ entity, id, field, before, value: after, by, now, note })),
    );
    await rebuildRecord(trx, entity, id, now);
    return { ok: true, id, changed };
  });
}

/** Undoes corrections: the sources decide the fields again. Without `fields` all of them but `hidden`. */
export async function uncorrect(options: Common & { fields?: readonly string[] }): Promise<CorrectionResult> {
  const { store, entity, fields, by } = options;
  const now = (options.now ?? Date.now)();
  return transact(store.db, async (trx) => {
    const subject = await readSubject(trx, entity, options.id);
    if (!subject.ok) return subject;
    const { id, corrections } = subject;
    const unknown = fields?.find((name) => name !== HIDDEN && findField(entity, name) === null);
    if (unknown !== undefined) return invalid(unknown, wantedField(entity));
    const named = fields && new Set(fields.map((name) => findField(entity, name)?.field ?? name));
    const given = [...corrections.values()].filter(({ field }) => named?.has(field) ?? field !== HIDDEN);
    if (given.length === 0) return { ok: true, id, changed: [] };
    const before = new Map(given.map(({ field }) => [field, subject.shown(field)]));
    await revokeAll(
      trx,
      entity,
      id,
      given.map(({ field }) => field),
      { by, now },
    );
    await rebuildRecord(trx, entity, id, now);
    const after = await readSubject(trx, entity, id);
    const shown = (field: string) => (after.ok ? after.shown(field) : null);
    return { ok: true, id, changed: given.map(({ field }) => ({ field, before: before.get(field), after: shown(field) })) };
  });
}

/** Says that a record is not to be published: lists leave it out, its id answers "gone". What takes place at a hidden venue goes with it. */
export function hide(options: Common & { note?: string | null }): Promise<CorrectionResult> {
  return correct({ ...options, values: { [HIDDEN]: true } });
}

export function unhide(options: Common): Promise<CorrectionResult> {
  return uncorrect({ ...options, fields: [HIDDEN] });
}

interface Subject {
  ok: true;
  id: string;
  corrections: ActiveCorrections;
  /** What is shown of a field by now. */
  shown(field: string): unknown;
  /** Whether these values agree with each other and with the rest. */
  check(values: Readonly<Record<string, unknown>>): Refusal<CorrectionReason> | null;
}

async function readSubject(
  trx: Transaction<Database>,
  entity: CorrectedEntity,
  id: string,
): Promise<Subject | Refusal<CorrectionReason>> {
  await lockRecords(trx);
  const unknown = { ok: false, reason: 'unknown', detail: `no ${entity} has this id` } as const;
  if (!isUuid(id)) return unknown;
  const row = await loadSurvivor(trx, entity, id.toLowerCase());
  if (!row) return unknown;
  const nobody = `no source lists this ${entity} any more, so there is nothing to correct`;
  const removed = { ok: false, reason: 'removed', detail: nobody } as const;
  if (row.state === 'removed' || row.state === 'merged') return removed;
  const corrections = (await loadActiveCorrections(trx, entity, [row.id])).get(row.id) ?? new Map<string, Correction>();
  if (entity === 'venue') {
    const { said, locate } = await loadVenueSourceValues(trx, row.id);
    if (!said) return removed;
    const shown = putVenue(said, valuesOf(corrections), locate);
    const rules = new Map(Object.entries(VENUE_RULES));
    return {
      ok: true,
      id: row.id,
      corrections,
      check: () => null,
      shown: (field) => (field === HIDDEN ? corrections.has(HIDDEN) : rules.get(field)?.read(shown)),
    };
  }
  const said = (await loadEventSourceValues(trx, [row.id])).get(row.id)?.said;
  if (!said) return removed;
  const shown = putEvent(said, valuesOf(corrections));
  const rules = new Map(Object.entries(EVENT_RULES));
  return {
    ok: true,
    id: row.id,
    corrections,
    shown: (field) => (field === HIDDEN ? corrections.has(HIDDEN) : rules.get(field)?.read(shown)),
    check: (values) => checkEvent(shown, values),
  };
}

function checkEvent(shown: UnscoredEvent, values: Readonly<Record<string, unknown>>): Refusal<CorrectionReason> | null {
  const checked = checkWhole(putEvent(shown, values), new Set(Object.keys(values)));
  return checked.ok ? null : invalid(checked.field ?? 'start', checked.reason);
}

const invalid = (field: string, detail: string): Refusal<CorrectionReason> => ({ ok: false, reason: 'invalid', detail, field });

/** The values by the own names of their fields; those of parts completed by what is shown. */
function byField(
  entity: CorrectedEntity,
  values: Readonly<Record<string, unknown>>,
  { shown }: Pick<Subject, 'shown'>,
): Record<string, unknown> {
  const whole = new Map<string, unknown>();
  for (const [name, value] of Object.entries(values)) {
    const { field, put } = findField(entity, name) ?? { field: name };
    whole.set(field, put ? put(whole.get(field) ?? shown(field), value) : value);
  }
  return Object.fromEntries(whole);
}

async function parse(
  trx: Transaction<Database>,
  entity: CorrectedEntity,
  values: Readonly<Record<string, unknown>>,
): Promise<{ ok: true; values: Record<string, unknown> } | Refusal<CorrectionReason>> {
  const city = await readCity(trx);
  const rules = entity === 'venue' ? VENUE_CHECKS : eventChecks(createCityTime(city?.timezone ?? 'UTC'));
  const checks = new Map<string, Check<unknown>>(Object.entries(rules));
  const parsed: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(values)) {
    if (field === HIDDEN && value === true) {
      parsed[field] = true;
      continue;
    }
    const check = checks.get(field);
    if (!check) return invalid(field, wantedField(entity));
    const checked = check(value);
    if (isRefusal(checked)) return invalid(field + checked.path, checked.reason);
    parsed[field] = checked;
  }
  if (entity === 'event' && typeof parsed.venue === 'string') {
    const correction = { ...NOBODY, field: 'venue', value: parsed.venue };
    const place = (await readPlaces(trx, [new Map([['venue', correction]])])).get(parsed.venue);
    if (place === undefined)
      return invalid('venue', `wanted the id of a venue, got ${JSON.stringify(parsed.venue)}, which is none`);
    parsed.venue = place;
  }
  return { ok: true, values: parsed };
}

async function rebuildRecord(trx: Transaction<Database>, entity: CorrectedEntity, id: string, now: number): Promise<void> {
  const changes: Change[] = [];
  if (entity === 'venue') changes.push(...(await rebuildVenue(trx, id, now)));
  else {
    const rebuilt = await rebuildEvents(trx, [id], now);
    const city = await readCity(trx);
    const day = createCityTime(city?.timezone ?? 'UTC').day(now);
    changes.push(...rebuilt, ...(await settleScores(trx, { now, day })));
  }
  await recordChanges(trx, changes, now);
}

interface NewCorrection {
  entity: CorrectedEntity;
  id: string;
  field: string;
  value: unknown;
  before: unknown;
  by: string;
  now: number;
  note: string | null;
}

async function insert(trx: Transaction<Database>, corrections: readonly NewCorrection[]): Promise<void> {
  const rows = corrections.map(({ entity, id, field, value, before, by, now, note }) => ({
    id: randomUUIDv7(),
    entity,
    target_id: id,
    field,
    made_by: by,
    made_at: new Date(now),
    note,
    value: JSON.stringify(value),
    before: JSON.stringify(before ?? null),
  }));
  await trx.insertInto('correction').values(rows).execute();
}

const ownOf = (corrections: ActiveCorrections, id: string, fields: readonly string[]): string[] =>
  fields.flatMap((field) => {
    const correction = corrections.get(field);
    return correction?.targetId === id ? [correction.id] : [];
  });

async function revoke(trx: Transaction<Database>, ids: readonly string[], by: string, now: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('correction')
    .set({ revoked_at: new Date(now), revoked_by: by })
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Those of merged ids, too: undoing must not show another old correction. */
async function revokeAll(
  trx: Transaction<Database>,
  entity: CorrectedEntity,
  id: string,
  fields: readonly string[],
  { by, now }: { by: string; now: number },
): Promise<void> {
  await sql`
    update correction set revoked_at = ${new Date(now)}, revoked_by = ${by}
    where entity = ${entity} and revoked_at is null and field = any(${fields}::text[]) and (target_id = ${id}
      or target_id in (select led.id from ${redirectsOf(entity)} as led where led.merged_into = ${id}))`.execute(trx);
}

const NOBODY: Correction = {
  id: '',
  entity: 'event',
  targetId: '',
  field: '',
  value: null,
  before: null,
  by: '',
  at: 0,
  note: null,
};

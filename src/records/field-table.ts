/**
 * What a table of fields says, and what follows from it: types, columns, SQL, and how values are compared and shown. The tables are
 * `event-fields.ts` and `venue-fields.ts`: one row for each field of an event or venue, in the order of the API contract.
 */

import { type RawBuilder, sql } from 'kysely';
import type { ShownFields } from './changes/compare-fields.ts';
import type { EventLink, OpeningHours, Organizer } from './model.ts';

/** By kind: what a field holds inside, and how an answer of the API shows it. */
interface Kinds {
  id: { value: string; shown: string };
  text: { value: string; shown: string };
  /** Text of several lines. */
  prose: { value: string; shown: string };
  url: { value: string; shown: string };
  /** One of the words in `of`. */
  choice: { value: string; shown: string };
  texts: { value: string[]; shown: string[] };
  flag: { value: boolean; shown: boolean };
  /** Of money, in the city's currency. */
  amount: { value: number; shown: number };
  degrees: { value: number; shown: number };
  /** 0–100. */
  score: { value: number; shown: number };
  count: { value: number; shown: number };
  /** Milliseconds since 1970 UTC; shown as city time with offset. */
  instant: { value: number; shown: string };
  /** Id of a venue; shown as the venue. */
  venue: { value: string; shown: unknown };
  links: { value: readonly EventLink[]; shown: readonly EventLink[] };
  hours: { value: OpeningHours; shown: OpeningHours };
  organizer: { value: Organizer; shown: Organizer };
}
export type FieldKind = keyof Kinds;

export interface FieldRow {
  kind: FieldKind;
  of?: readonly string[];
  /** Null is a value: unknown. */
  nullable?: true;
  /** The value where a record lacks the field. */
  absent?: unknown;
  /** In the table of the records. Without one it is no fact of listings: it is made when the record is written or shown. */
  column?: string;
  /** In the API and in the list of changes; absent: as inside; null: not shown there. */
  name?: string | null;
  /** In reports of runs and in corrections; absent: as inside. */
  reportName?: string;
  /** Fields that only a correction of all of them makes sense of: the name of the whole. Null: nobody may correct it. */
  correctedIn?: string | null;
  /** The smallest form of the record that has it. `metadata` is an object of the detail form. `extra`: `include` adds it, or nothing does. */
  form: 'compact' | 'list' | 'detail' | 'metadata' | 'extra';
  /** Of a venue: the smallest form of its events that shows it. */
  ofEvent?: 'list' | 'detail';
  /** Of degrees: they lie between it and its negative. */
  largest?: number;
  /** What the OpenAPI document says of it. */
  meaning?: string;
}
export type FieldTable = Readonly<Record<string, FieldRow>>;

type OrNull<R, V> = R extends { nullable: true } ? V | null : V;
type KindOf<R> = R extends { kind: infer K extends FieldKind } ? K : never;
type Value<R> = OrNull<R, R extends { of: readonly (infer W)[] } ? W : Kinds[KindOf<R>]['value']>;
type Shown<R> = OrNull<R, R extends { of: readonly (infer W)[] } ? W : Kinds[KindOf<R>]['shown']>;
type NameOf<F, R> = R extends { name: infer N } ? N & string : F;

/** The facts of a record, by their names inside. */
export type FactsOf<T> = {
  -readonly [F in keyof T as T[F] extends { column: string; absent?: undefined } ? F : never]: Value<T[F]>;
} & {
  -readonly [F in keyof T as T[F] extends { column: string; absent: NonNullable<unknown> } ? F : never]?: Value<T[F]>;
};

/** What answers of the API show of a record in these forms, by the names of the API. */
export type RecordOf<T, Form extends FieldRow['form']> = {
  -readonly [F in keyof T as T[F] extends { form: Form } ? NameOf<F, T[F]> : never]: Shown<T[F]>;
};

/** The values that people may correct, by the names of reports: those of single fields, and of fields that are corrected together. */
export type CorrectableOf<T> = {
  -readonly [F in keyof T as T[F] extends { column: string; correctedIn?: undefined } ? ReportNameOf<F, T[F]> : never]: Value<
    T[F]
  >;
} & {
  -readonly [G in WholesOf<T>]: { -readonly [F in keyof T as T[F] extends { correctedIn: G } ? F : never]: Value<T[F]> };
};
type ReportNameOf<F, R> = R extends { reportName: infer N extends string } ? N : F;
type WholesOf<T> = { [F in keyof T]: T[F] extends { correctedIn: infer G extends string } ? G : never }[keyof T];

/** How the value of a correction is read from a record, and put into it. */
export interface CorrectionRule<Facts, V> {
  read(facts: Facts): V;
  put(value: V): Partial<Facts>;
}
export type CorrectionRules<T> = { readonly [C in keyof CorrectableOf<T>]: CorrectionRule<FactsOf<T>, CorrectableOf<T>[C]> };

/** By the names of corrections, in the order of the table. */
export function correctionRules<T extends FieldTable>(table: T): CorrectionRules<T> {
  const wholes = new Map<string, NamedRow[]>();
  for (const row of storedRows(table)) {
    const name = row.correctedIn === undefined ? (row.reportName ?? row.field) : row.correctedIn;
    if (name !== null) wholes.set(name, [...(wholes.get(name) ?? []), row]);
  }
  return Object.fromEntries([...wholes].map(([name, rows]) => [name, ruleOf(rows)])) as CorrectionRules<T>;
}

function ruleOf(rows: readonly NamedRow[]): CorrectionRule<Record<string, unknown>, unknown> {
  const [first] = rows;
  if (first && first.correctedIn === undefined) {
    const { field, absent } = first;
    return { read: (facts) => facts[field] ?? absent ?? null, put: (value) => ({ [field]: value }) };
  }
  const pick = (from: Record<string, unknown>) => Object.fromEntries(rows.map(({ field }) => [field, from[field]]));
  return { read: pick, put: (value) => pick(value as Record<string, unknown>) };
}

/** A row under the name of its field. */
export interface NamedRow extends FieldRow {
  field: string;
  /** In the API; null: not shown there. */
  shownAs: string | null;
}

export const rowsOf = (table: FieldTable): NamedRow[] =>
  Object.entries(table).map(([field, row]) => ({ ...row, field, shownAs: row.name === undefined ? field : row.name }));

/** The rows whose values are stored as facts. */
export const storedRows = (table: FieldTable): (NamedRow & { column: string })[] =>
  rowsOf(table).flatMap((row) => (row.column === undefined ? [] : [{ ...row, column: row.column }]));

const SQL_TYPES: Readonly<Record<FieldKind, string>> = {
  id: 'uuid',
  text: 'text',
  prose: 'text',
  url: 'text',
  choice: 'text',
  texts: 'text[]',
  flag: 'boolean',
  amount: 'numeric',
  degrees: 'double precision',
  score: 'smallint',
  count: 'integer',
  instant: 'timestamptz',
  venue: 'uuid',
  links: 'jsonb',
  hours: 'jsonb',
  organizer: 'jsonb',
};

/** The stored fields of one table, as SQL names them, and their values on the way in and out. */
export interface StoredFields<Facts> {
  /** `title, category, …` */
  columns: RawBuilder<unknown>;
  /** `title text, category text, …`: for `json_to_recordset`. */
  definitions: RawBuilder<unknown>;
  /** `title = excluded.title, …`: for `on conflict … do update`. */
  updates: RawBuilder<unknown>;
  /** `title, image_url as "imageUrl", …`: the facts by their names inside. Instants are milliseconds: a million `Date` objects would cost seconds. */
  selection: RawBuilder<unknown>;
  /** By column, as JSON holds them. */
  toRow(facts: Facts): Record<string, unknown>;
  /** Of a row that the database returned by its columns. */
  fromRow(row: object): Facts;
}

export function storedFields<T extends FieldTable>(table: T): StoredFields<FactsOf<T>> {
  const rows = storedRows(table);
  const joined = (print: (row: (typeof rows)[number]) => string) => sql.raw(rows.map(print).join(', '));
  return {
    columns: joined(({ column }) => column),
    definitions: joined(({ column, kind }) => `${column} ${SQL_TYPES[kind]}`),
    updates: joined(({ column }) => `${column} = excluded.${column}`),
    selection: joined(({ column, kind, field }) => `${readable(column, kind)} as "${field}"`),
    toRow(facts) {
      const row: Record<string, unknown> = {};
      for (const { field, column, kind, absent } of rows) {
        const value = (facts as Record<string, unknown>)[field] ?? absent ?? null;
        row[column] = kind === 'instant' && value !== null ? new Date(value as number).toISOString() : value;
      }
      return row;
    },
    fromRow(row) {
      const facts: Record<string, unknown> = {};
      for (const { field, column, kind } of rows) facts[field] = fromColumn((row as Record<string, unknown>)[column], kind);
      return facts as FactsOf<T>;
    },
  };
}

/** Milliseconds are kept exactly: a double holds them with the microseconds PostgreSQL has. */
export const asMilliseconds = (column: string): string => `round(extract(epoch from ${column}) * 1000)::float8`;

function readable(column: string, kind: FieldKind): string {
  if (kind === 'instant') return asMilliseconds(column);
  return kind === 'amount' ? `${column}::float8` : column;
}

/** Drivers return instants as `Date` and `numeric` as text. */
function fromColumn(value: unknown, kind: FieldKind): unknown {
  if (value === null) return null;
  if (kind === 'instant') return (value as Date).getTime();
  return kind === 'amount' ? Number(value) : value;
}

/** How the list of changes shows the facts that the API shows. */
export const changeFields = <Facts>(rows: readonly NamedRow[]): ShownFields<Facts> =>
  Object.fromEntries(
    rows.flatMap(({ field, shownAs, kind }) =>
      shownAs === null ? [] : [[field, { name: shownAs, show: SHOWN_IN_CHANGES[kind] ?? same }]],
    ),
  ) as ShownFields<Facts>;

/** How reports of runs show all facts. */
export const reportFields = <T extends FieldTable>(table: T): ShownFields<FactsOf<T>> =>
  Object.fromEntries(
    storedRows(table).map(({ field, reportName = field, kind, absent }) => {
      const show = SHOWN_IN_REPORTS[kind] ?? same;
      return [field, { name: reportName, show: (value: unknown) => show(value ?? absent ?? null) }];
    }),
  ) as ShownFields<FactsOf<T>>;

const same = (value: unknown): unknown => value;
const inUtc = (instant: unknown): unknown => (instant === null ? null : new Date(instant as number).toISOString());
const SHOWN_IN_CHANGES: Partial<Record<FieldKind, (value: unknown) => unknown>> = {
  instant: inUtc,
  venue: (id) => ({ id }),
};
const SHOWN_IN_REPORTS: Partial<Record<FieldKind, (value: unknown) => unknown>> = {
  instant: inUtc,
  organizer: (organizer) => organizer && formatOrganizer(organizer as Organizer),
  links: (links) => (links as readonly EventLink[]).map(({ provider, url }) => `${provider} ${url}`),
};

/** `Harbor Arts https://example.org`. */
export const formatOrganizer = ({ name, url }: Organizer): string => (url === null ? name : `${name} ${url}`);

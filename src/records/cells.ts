/** Records as cells of a table: what a spreadsheet or a Parquet file holds of each field. */

import { EVENT_FIELDS } from './event-fields.ts';
import { type FieldKind, type FieldTable, type NamedRow, rowsOf } from './field-table.ts';
import type { Organizer } from './model.ts';
import { VENUE_FIELDS } from './venue-fields.ts';

/** A cell: its name, its type in Parquet, and its value in a record as the API shows it. */
export interface Cell {
  name: string;
  type: 'text' | 'instant' | 'flag' | 'whole' | 'number' | 'list' | 'json';
  read(record: Readonly<Record<string, unknown>>): unknown;
}

type ShownRow = NamedRow & { shownAs: string };

/** The fields that the API shows, in the order of the contract. */
const shownRows = (table: FieldTable): ShownRow[] =>
  rowsOf(table).flatMap((row) => (row.shownAs === null ? [] : [{ ...row, shownAs: row.shownAs }]));

/** The same of an event. Tables have named the status behind the category from the beginning; changes and corrections name it behind the venue. */
function shownEventRows(): ShownRow[] {
  const rows = shownRows(EVENT_FIELDS);
  const status = rows.filter(({ field }) => field === 'status');
  const others = rows.filter((row) => !status.includes(row));
  return others.toSpliced(others.findIndex(({ field }) => field === 'category') + 1, 0, ...status);
}

/** As answers print them: each form begins with the smaller one, and the venue ends it. */
const byForm = (a: NamedRow, b: NamedRow): number =>
  FORMS.indexOf(a.form) - FORMS.indexOf(b.form) || Number(a.kind === 'venue') - Number(b.kind === 'venue');

/** The fields of an event in the order of its answers. */
export const printedEventRows = (): ShownRow[] => shownEventRows().sort(byForm);

/** The cells of a field of an event; its venue becomes a cell for each of its own fields, in the order of the answers. */
export const cellsOfEventField = ({ shownAs, kind }: ShownRow): Cell[] =>
  kind === 'venue' ? [...placesOf('list'), ...placesOf('detail')] : cellsOf(shownAs, kind);

/**
 * All cells of an event in the order of the contract. Columns are only added behind those that are there: the venue's size came later
 * than the other fields.
 */
export function eventCells(): Cell[] {
  const ofVenue = shownRows(VENUE_FIELDS).filter(({ ofEvent }) => ofEvent);
  const size = ofVenue.filter(({ field }) => field === 'capacityTier');
  const others = ofVenue.filter((row) => !size.includes(row));
  const cells = shownEventRows().flatMap((row) =>
    row.kind === 'venue' ? others.map(placeCell) : cellsOf(row.shownAs, row.kind),
  );
  return [...cells, ...size.map(placeCell)];
}

/** The cells of a venue as lists show it, in the order of the contract. */
export const listedVenueCells = (): Cell[] =>
  shownRows(VENUE_FIELDS)
    .filter(({ form }) => form === 'list')
    .map(({ shownAs, kind }) => cellOf(shownAs, kind));

/** The cells of a whole venue in the order of its answers. The count of what is coming ends them: it depends on the moment. */
export const wholeVenueCells = (): Cell[] =>
  shownRows(VENUE_FIELDS)
    .filter(({ form }) => form !== 'extra')
    .sort((a, b) => Number(a.kind === 'count') - Number(b.kind === 'count'))
    .map(({ shownAs, kind, form }) => cellOf(shownAs, kind, form === 'metadata' ? form : undefined));

/** What an event in this form, and in none smaller, shows of its venue. */
const placesOf = (form: 'list' | 'detail'): Cell[] =>
  shownRows(VENUE_FIELDS)
    .filter(({ ofEvent }) => ofEvent === form)
    .map(placeCell);

/** `venueName`, but `latitude`: the point is that of the event, too. */
function placeCell({ field, kind }: ShownRow): Cell {
  const title = kind === 'degrees' ? field : `venue${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  return cellOf(field, kind, 'venue', title);
}

/** An organizer becomes two cells: its name and its URL. */
function cellsOf(name: string, kind: FieldKind): Cell[] {
  if (kind !== 'organizer') return [cellOf(name, kind)];
  return (['name', 'url'] as const).map((part) => ({
    name: `${name}${part === 'name' ? 'Name' : 'Url'}`,
    type: 'text',
    read: (record) => (record[name] as Organizer | null)?.[part] ?? null,
  }));
}

/** `inside`: the member of the record that has the field. */
function cellOf(name: string, kind: FieldKind, inside?: string, title = name): Cell {
  const read: Cell['read'] = inside ? (record) => (record[inside] as Record<string, unknown>)[name] : (record) => record[name];
  return { name: title, type: CELL_TYPES[kind], read };
}

const FORMS: readonly string[] = ['compact', 'list', 'detail', 'metadata', 'extra'];
const CELL_TYPES: Readonly<Record<FieldKind, Cell['type']>> = {
  id: 'text',
  text: 'text',
  prose: 'text',
  url: 'text',
  choice: 'text',
  texts: 'list',
  flag: 'flag',
  amount: 'number',
  degrees: 'number',
  score: 'whole',
  count: 'whole',
  instant: 'instant',
  venue: 'json',
  links: 'json',
  hours: 'json',
  organizer: 'json',
};

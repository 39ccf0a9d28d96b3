/** How each field of an event or venue is named, typed in and printed. */

import { type CorrectableEventField, type CorrectableVenueField, formatHours } from '../../ingest/index.ts';
import {
  EVENT_FIELDS,
  type EventLink,
  type FieldKind,
  type FieldTable,
  formatOrganizer,
  type OpeningHours,
  type Organizer,
  rowsOf,
  type StartPrecision,
  VENUE_FIELDS,
} from '../../records/index.ts';
import type { CityTime } from '../../values/city-time.ts';
import type { Entity, FieldInput } from '../model/desk.ts';
import { formatWord } from '../model/format.ts';
import type { MomentFormat } from './desk.ts';

export interface FieldForm {
  label: string;
  hint?: string;
  input: FieldInput;
  /** For who reads. Empty: nothing is known. */
  print(value: unknown, context: FormContext): string;
  /** For the inputs of the form. */
  type(value: unknown, context: FormContext): Record<string, string>;
}

export interface FormContext {
  moments: MomentFormat;
  cityTime: CityTime;
  currency: string;
  /** Of the event that is shown. */
  precision: StartPrecision;
  venueName(id: string): string;
}

/** Fields that are shown or typed in otherwise than their kind. */
const SPECIAL_EVENT_FORMS: Readonly<Partial<Record<CorrectableEventField, FieldForm>>> = {
  start: {
    label: 'Start',
    hint: 'In the city’s time. Leave the hour empty if only the day is known.',
    input: { kind: 'moment' },
    print: (value, { moments }) => {
      const { startsAt, precision } = value as { startsAt: number; precision: StartPrecision };
      const { text } = moments.start(startsAt, precision);
      if (precision === 'time') return text;
      return `${text} (${precision === 'date' ? 'time not known' : 'all day'})`;
    },
    type: (value, context) => {
      const { startsAt, precision } = value as { startsAt: number; precision: string };
      const { day = '', hour = '' } = dayAndHour(startsAt, context);
      return { day, hour: precision === 'time' ? hour : '' };
    },
  },
  end: {
    label: 'End',
    hint: 'Leave both empty if unknown.',
    input: { kind: 'moment' },
    print: (value, { moments, precision }) => (typeof value === 'number' ? moments.end(value, precision).text : ''),
    type: (value, context) => (typeof value === 'number' ? dayAndHour(value, context) : { day: '', hour: '' }),
  },
  image: { ...line('Image'), hint: 'The URL of a picture, or a path on this site.' },
  price: {
    label: 'Price',
    hint: 'free, 12, 12-20 or unknown',
    input: { kind: 'line' },
    print: (value, { currency }) => {
      const text = typePrice(value);
      if (text === 'free') return 'Free';
      return text === 'unknown' ? '' : `${text} ${currency}`;
    },
    type: (value) => ({ value: typePrice(value) }),
  },
  venue: {
    label: 'Venue',
    hint: 'The ID or the exact slug of a venue, or words that match only one venue.',
    input: { kind: 'line' },
    print: (value, { venueName }) => venueName(String(value)),
    type: (value) => ({ value: String(value ?? '') }),
  },
  organizer: {
    label: 'Organizer',
    hint: 'The name, and a URL if there is one: Harbor Arts https://example.org. Leave empty if unknown.',
    input: { kind: 'line' },
    print: (value) => (value ? formatOrganizer(value as Organizer) : ''),
    type: (value) => ({ value: value ? formatOrganizer(value as Organizer) : '' }),
  },
  links: {
    label: 'Links',
    hint: 'One line each, the provider and its URL: Box office https://example.org/tickets. Leave empty if there are none.',
    input: { kind: 'text' },
    print: (value) => typeLinks(value).join('; '),
    type: (value) => ({ value: typeLinks(value).join('\n') }),
  },
};
const SPECIAL_VENUE_FORMS: Readonly<Partial<Record<CorrectableVenueField, FieldForm>>> = {
  coordinates: {
    label: 'Coordinates',
    hint: 'Latitude and longitude in degrees, such as 40.7128, -74.0060. They determine the neighborhood.',
    input: { kind: 'line' },
    print: typePoint,
    type: (value) => ({ value: typePoint(value) }),
  },
  verified: {
    label: 'Verified',
    hint: 'Only verified venues appear in the list of venues.',
    input: { kind: 'choice', options: ['yes', 'no'].map((value) => ({ value, text: value })) },
    print: (value) => (value === true ? 'yes' : 'no'),
    type: (value) => ({ value: value === true ? 'yes' : 'no' }),
  },
  transit: list('Transit nearby'),
  hours: {
    label: 'Opening hours',
    hint: 'One line each: Mon-Thu, Sun 17:00-02:00 or 2026-12-24 to 2026-12-26 closed: Christmas. Leave empty if unknown.',
    input: { kind: 'text' },
    print: (value, context) => typeHours(value, context).replaceAll('\n', '; '),
    type: (value, context) => ({ value: typeHours(value, context) }),
  },
};

/** A form for each correction, in the order of the table of fields. */
function formsOf(table: FieldTable, special: Readonly<Record<string, FieldForm>>): Record<string, FieldForm> {
  const forms: Record<string, FieldForm> = {};
  for (const { field, column, reportName = field, correctedIn = reportName, kind, of, nullable } of rowsOf(table)) {
    if (column === undefined || correctedIn === null) continue;
    const label = `${correctedIn.charAt(0).toUpperCase()}${correctedIn.slice(1)}`;
    forms[correctedIn] = special[correctedIn] ?? (of ? choice(label, of, nullable) : formOfKind(label, kind));
  }
  return forms;
}

function formOfKind(label: string, kind: FieldKind): FieldForm {
  if (kind === 'texts') return list(label);
  if (kind === 'prose') return { ...line(label), input: { kind: 'text' } };
  return kind === 'url' ? { ...line(label), input: { kind: 'line', type: 'url' } } : line(label);
}

/** By field, in the order in which they are shown. */
export const FIELD_FORMS: Readonly<Record<Entity, Readonly<Record<string, FieldForm>>>> = {
  event: formsOf(EVENT_FIELDS, SPECIAL_EVENT_FORMS),
  venue: formsOf(VENUE_FIELDS, SPECIAL_VENUE_FORMS),
};

function line(label: string): FieldForm {
  const print = (value: unknown) => (value === null || value === undefined ? '' : String(value));
  return { label, input: { kind: 'line' }, print, type: (value) => ({ value: print(value) }) };
}

function choice(label: string, values: readonly string[], mayBeUnknown = false): FieldForm {
  const known = values.map((value) => ({ value, text: formatWord(value) }));
  const options = mayBeUnknown ? [{ value: '', text: 'unknown' }, ...known] : known;
  const print = (value: unknown) => formatWord(String(value ?? ''));
  return { label, input: { kind: 'choice', options }, print, type: (value) => ({ value: String(value ?? '') }) };
}

function list(label: string): FieldForm {
  const print = (value: unknown) => (Array.isArray(value) ? value.join(', ') : '');
  return { label, hint: 'Separated by commas.', input: { kind: 'line' }, print, type: (value) => ({ value: print(value) }) };
}

function typePrice(value: unknown): string {
  const { isFree, priceMin, priceMax } = value as { isFree: boolean; priceMin: number | null; priceMax: number | null };
  if (isFree) return 'free';
  const [least, most] = [priceMin ?? priceMax, priceMax ?? priceMin];
  if (least === null) return 'unknown';
  return least === most ? String(least) : `${least}-${most}`;
}

const typeLinks = (value: unknown): string[] => (value as EventLink[]).map(({ provider, url }) => `${provider} ${url}`);

function typePoint(value: unknown): string {
  const { latitude, longitude } = value as { latitude: number; longitude: number };
  return `${latitude}, ${longitude}`;
}

function typeHours(value: unknown, { cityTime }: FormContext): string {
  return value ? formatHours(value as OpeningHours, cityTime.timezone) : '';
}

function dayAndHour(instant: number, { cityTime }: FormContext): { day: string; hour: string } {
  const wall = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(cityTime.timezone);
  return { day: wall.toPlainDate().toString(), hour: wall.toPlainTime().toString({ smallestUnit: 'minute' }) };
}

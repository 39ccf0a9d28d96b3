/**
 * The fields that an operator may correct: by which names, how a value is checked, and how it changes the record. The tables of fields
 * say which they are.
 */

import {
  type Check,
  type Checked,
  checkEvent,
  dateTime,
  eventFields,
  isPlainObject,
  isRefusal,
  type Locate,
  list,
  MAX_LINKS,
  METADATA,
  object,
  oneOf,
  optional,
  print,
  refuse,
  text,
  uuid,
  VENUE_FIELDS as VENUE_LINE,
  type VenueFacts,
  wanted,
  webUrl,
} from '../../facts/index.ts';
import {
  type CorrectableOf,
  type CorrectionRule,
  correctionRules,
  EVENT_FIELDS,
  EVENT_STATUSES,
  type EventFields,
  type EventLink,
  type FieldTable,
  priceOf,
  rowsOf,
  VENUE_FIELDS,
  type VenueFields,
} from '../../records/index.ts';
import type { CityTime } from '../../values/city-time.ts';
import type { UnscoredEvent } from '../scores/score-events.ts';

/** As they are kept, and as the provenance of a field shows them. Instants are milliseconds; `venue` is an id. */
export type EventValues = CorrectableOf<typeof EVENT_FIELDS>;
export type VenueValues = CorrectableOf<typeof VENUE_FIELDS>;
export type CorrectableEventField = keyof EventValues;
export type CorrectableVenueField = keyof VenueValues;

export const EVENT_RULES = correctionRules(EVENT_FIELDS);
export const VENUE_RULES = correctionRules(VENUE_FIELDS);

type Checks<Values> = { readonly [F in keyof Values]: Check<Values[F]> };

/** Single fields are checked as in a line of a bundle, whose members have the names of the API. */
const checksOfLine = <Values>(table: FieldTable, line: Readonly<Record<string, Check<unknown>>>): Checks<Values> =>
  Object.fromEntries(
    rowsOf(table).flatMap(({ field, column, shownAs, reportName = field, correctedIn }) => {
      const check = column === undefined || shownAs === null || correctedIn !== undefined ? undefined : line[shownAs];
      return check ? [[reportName, check]] : [];
    }),
  ) as Checks<Values>;

/**
 * The corrected value of one field, in the forms of docs/bundle.md: `start` a date-time, or a day when the hour is not known; `price`
 * an object of `isFree`, `priceMin`, `priceMax`; `venue` an id; `links` objects of `provider` and `url`. Null says that nothing is known, where that may be.
 */
export function eventChecks(cityTime: CityTime): Checks<EventValues> {
  const dated = dateTime(cityTime);
  const line = eventFields(dated);
  // A form has day and hour apart, and either may be empty.
  const instant: Check<number> = (value) => {
    const [, day, hour] = typeof value === 'string' ? (/^([^T]*)T([^T]*)$/.exec(value) ?? []) : [];
    if (day && hour === '') return refuse(`wanted a day and an hour, got only the day ${print(day)}`);
    if (hour && day === '') return refuse(`wanted a day and an hour, got only the hour ${print(hour)}`);
    return dated(value);
  };
  const day: Check<EventValues['start']> = (value) => {
    const startsAt = dated(`${String(value)}T00:00`);
    return isRefusal(startsAt) ? wanted('a day that exists', value) : { startsAt, precision: 'date' };
  };
  const price = object<EventValues['price']>({ isFree: line.isFree, priceMin: line.priceMin, priceMax: line.priceMax });
  return {
    ...checksOfLine<EventValues>(EVENT_FIELDS, line),
    start(value) {
      if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return day(value);
      const startsAt = instant(value);
      return isRefusal(startsAt) ? startsAt : { startsAt, precision: 'time' };
    },
    end: optional(instant, null),
    price(value) {
      if (!isPlainObject(value)) return wanted('"free", "12", "12-20" or "unknown"', value);
      const read = price(value);
      if (isRefusal(read)) return read;
      const checked = checkEvent({ ...read, startsAt: 0, endsAt: null });
      if (!checked.ok) return refuse(checked.reason, `.${checked.field}`);
      return priceOf(checked.value);
    },
    venue: uuid,
    status: oneOf(EVENT_STATUSES),
    links: list(object<EventLink>({ provider: text(MAX_PROVIDER_CHARS), url: webUrl }), MAX_LINKS),
  };
}

/** The event with the corrected values put in. */
export function putEvent(event: UnscoredEvent, corrected: Partial<EventValues>): UnscoredEvent {
  return putAll<EventFields, EventValues, UnscoredEvent>(event, EVENT_RULES, corrected);
}

/** What sources list may have changed since the correction: an end before the start is none. */
export function fixed(event: UnscoredEvent): UnscoredEvent {
  return event.endsAt !== null && event.endsAt < event.startsAt ? { ...event, endsAt: null } : event;
}

/** Whether the values of these fields agree with each other and with the rest. */
export function checkWhole(event: UnscoredEvent, fields: ReadonlySet<string>): Checked<UnscoredEvent> {
  if (!fields.has('start') && !fields.has('end')) return { ok: true, value: event };
  const checked = checkEvent(event);
  return checked.ok ? checked : { ...checked, field: fields.has('end') ? 'end' : 'start' };
}

const POINT = object<VenueValues['coordinates']>({ latitude: VENUE_LINE.latitude, longitude: VENUE_LINE.longitude });

/** The corrected value of one field, in the forms of docs/bundle.md; `coordinates` is an object of `latitude` and `longitude`. */
export const VENUE_CHECKS: Checks<VenueValues> = {
  ...checksOfLine<VenueValues>(VENUE_FIELDS, { ...VENUE_LINE, ...METADATA }),
  coordinates(value) {
    const point = POINT(value);
    if (isRefusal(point) || point.latitude !== 0 || point.longitude !== 0) return point;
    return refuse('wanted coordinates, got 0/0, which stands for unknown ones');
  },
  hours: (value) =>
    typeof value === 'string'
      ? refuse(
          `wanted lines such as "Mon-Fri 17:00-02:00" or "2026-12-24 closed: Christmas", got "${value.slice(0, MAX_ECHO_LENGTH)}"`,
        )
      : METADATA.openingHours(value),
};

/** The venue with the corrected values put in. An operator's point is exact: the polygons decide, whatever neighborhood a source has named. */
export function putVenue(venue: VenueFacts, corrected: Partial<VenueValues>, locate: Locate): VenueFacts {
  const put = putAll<VenueFields, VenueValues, VenueFacts>(venue, VENUE_RULES, corrected);
  if (corrected.coordinates === undefined) return put;
  return { ...put, neighborhood: locate(put.latitude, put.longitude), locationPrecision: 'exact' };
}

/** `undefined`: not corrected. */
function putAll<Facts extends object, Values, R extends Facts>(
  record: R,
  rules: { readonly [F in keyof Values]: CorrectionRule<Facts, Values[F]> },
  corrected: Partial<Values>,
): R {
  const put = { ...record };
  for (const field in rules) {
    const value = corrected[field];
    if (value !== undefined) Object.assign(put, rules[field].put(value as Values[typeof field]));
  }
  return put;
}

type Entity = 'event' | 'venue';

interface NamedField {
  field: string;
  /** Where the name is of a part: the whole field, of what is shown and the new value of the part. */
  put?(shown: unknown, value: unknown): unknown;
}

/** Null for a name that no field has. */
export function findField(entity: Entity, name: string): NamedField | null {
  if (Object.hasOwn(RULES[entity], name)) return { field: name };
  return API_NAMES[entity].get(name) ?? null;
}

/** `wanted one of title, start (startDatetime), …`. */
export function wantedField(entity: Entity): string {
  const fields = Object.keys(RULES[entity]).map((field) => {
    const names = [...API_NAMES[entity]].flatMap(([name, named]) => (named.field === field ? [name] : []));
    return names.length === 0 ? field : `${field} (${names.join(', ')})`;
  });
  return `wanted one of ${fields.join(', ')}`;
}

type Price = EventValues['price'];

function putIsFree(shown: unknown, isFree: unknown): unknown {
  if (isFree === true) return { isFree };
  return (shown as Price).isFree ? { isFree, priceMin: null, priceMax: null } : { ...(shown as Price), isFree };
}

/** What costs something is not free. */
const putPrice = (part: 'priceMin' | 'priceMax') => (shown: unknown, amount: unknown) => {
  const isFree = (shown as Price).isFree && (amount === null || amount === 0);
  const whole = isFree === (shown as Price).isFree ? (shown as Price) : { isFree, priceMin: null, priceMax: null };
  return { ...whole, [part]: amount };
};

const putCoordinate = (part: 'latitude' | 'longitude') => (shown: unknown, degrees: unknown) => ({
  ...(shown as { latitude: number; longitude: number }),
  [part]: degrees,
});

const RULES = { event: EVENT_RULES, venue: VENUE_RULES };
/** Of single fields that have another name there. */
const renamed = (table: FieldTable): [string, NamedField][] =>
  rowsOf(table).flatMap(({ field, shownAs, reportName = field, column, correctedIn }) =>
    column === undefined || shownAs === null || shownAs === reportName || correctedIn !== undefined
      ? []
      : [[shownAs, { field: reportName }]],
  );
const API_NAMES: Readonly<Record<Entity, ReadonlyMap<string, NamedField>>> = {
  event: new Map<string, NamedField>([
    ['startDatetime', { field: 'start' }],
    ...renamed(EVENT_FIELDS),
    ['isFree', { field: 'price', put: putIsFree }],
    ['priceMin', { field: 'price', put: putPrice('priceMin') }],
    ['priceMax', { field: 'price', put: putPrice('priceMax') }],
  ]),
  venue: new Map<string, NamedField>([
    ['latitude', { field: 'coordinates', put: putCoordinate('latitude') }],
    ['longitude', { field: 'coordinates', put: putCoordinate('longitude') }],
    ...renamed(VENUE_FIELDS),
  ]),
};
/** As the names of sources. */
const MAX_PROVIDER_CHARS = 100;
const MAX_ECHO_LENGTH = 64;

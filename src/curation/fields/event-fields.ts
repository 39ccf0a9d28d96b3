/** The fields of an event that an operator may correct: how a value is checked, and how it changes the event. */

import {
  CATEGORIES,
  type Category,
  EVENT_STATUSES,
  type EventLink,
  type EventStatus,
  type StartPrecision,
} from '../../catalog/index.ts';
import type { CityTime } from '../../city/index.ts';
import { MAX_LINKS } from '../../merge/index.ts';
import {
  type Check,
  type Checked,
  checkEvent,
  dateTime,
  eventFields,
  isPlainObject,
  isRefusal,
  list,
  object,
  oneOf,
  optional,
  print,
  refuse,
  text,
  uuid,
  wanted,
  webUrl,
} from '../../normalize/index.ts';
import type { UnscoredEvent } from '../../score-jobs/index.ts';

/** As it is kept, and as the trail of a field shows it. Instants are milliseconds. */
export interface EventValues {
  title: string;
  category: Category;
  start: { startsAt: number; precision: StartPrecision };
  end: number | null;
  description: string | null;
  image: string | null;
  price: { isFree: boolean; priceMin: number | null; priceMax: number | null };
  /** Id of a venue. */
  venue: string;
  status: EventStatus;
  performers: string[];
  tags: string[];
  links: readonly EventLink[];
}
export type CorrectableEventField = keyof EventValues;

interface Rule<V> {
  said(event: UnscoredEvent): V;
  put(value: V): Partial<UnscoredEvent>;
}

export const EVENT_RULES: { readonly [F in CorrectableEventField]: Rule<EventValues[F]> } = {
  title: { said: ({ title }) => title, put: (title) => ({ title }) },
  category: { said: ({ category }) => category, put: (category) => ({ category }) },
  start: {
    said: ({ startsAt, precision }) => ({ startsAt, precision }),
    put: ({ startsAt, precision }) => ({ startsAt, precision }),
  },
  end: { said: ({ endsAt }) => endsAt, put: (endsAt) => ({ endsAt }) },
  description: { said: ({ description }) => description, put: (description) => ({ description }) },
  image: { said: ({ imageUrl }) => imageUrl, put: (imageUrl) => ({ imageUrl }) },
  price: {
    said: ({ isFree, priceMin, priceMax }) => ({ isFree, priceMin, priceMax }),
    put: ({ isFree, priceMin, priceMax }) => ({ isFree, priceMin, priceMax }),
  },
  venue: { said: ({ venueId }) => venueId, put: (venueId) => ({ venueId }) },
  status: { said: ({ status }) => status, put: (status) => ({ status }) },
  performers: { said: ({ performers }) => performers, put: (performers) => ({ performers }) },
  tags: { said: ({ tags }) => tags, put: (tags) => ({ tags }) },
  links: { said: ({ links = [] }) => links, put: (links) => ({ links }) },
};

const EVENT_FIELDS = Object.keys(EVENT_RULES) as readonly CorrectableEventField[];

/**
 * The corrected value of one field, in the forms of docs/bundle.md: `start` a date-time, or a day when the hour is not known; `price`
 * an object of `isFree`, `priceMin`, `priceMax`; `venue` an id; `links` objects of `provider` and `url`. Null says that nothing is known, where that may be.
 */
export function eventChecks(cityTime: CityTime): { readonly [F in CorrectableEventField]: Check<EventValues[F]> } {
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
    title: line.title,
    category: oneOf(CATEGORIES),
    start(value) {
      if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return day(value);
      const startsAt = instant(value);
      return isRefusal(startsAt) ? startsAt : { startsAt, precision: 'time' };
    },
    end: optional(instant, null),
    description: line.description,
    image: line.imageUrl,
    price(value) {
      if (!isPlainObject(value)) return wanted('"free", "12", "12-20" or "unknown"', value);
      const read = price(value);
      if (isRefusal(read)) return read;
      const checked = checkEvent({ ...read, startsAt: 0, endsAt: null });
      if (!checked.ok) return refuse(checked.reason, `.${checked.field}`);
      const { isFree, priceMin, priceMax } = checked.value;
      return { isFree, priceMin, priceMax };
    },
    venue: uuid,
    status: oneOf(EVENT_STATUSES),
    performers: line.performers,
    tags: line.tags,
    links: list(object<EventLink>({ provider: text(MAX_PROVIDER_CHARS), url: webUrl }), MAX_LINKS),
  };
}

/** As the names of sources. */
const MAX_PROVIDER_CHARS = 100;

/** The event with the corrected values put in. */
export function putEvent(event: UnscoredEvent, corrected: Partial<EventValues>): UnscoredEvent {
  const put = <F extends CorrectableEventField>(field: F): Partial<UnscoredEvent> => {
    const value = corrected[field];
    return value === undefined ? {} : EVENT_RULES[field].put(value as EventValues[F]);
  };
  return Object.assign({ ...event }, ...EVENT_FIELDS.map(put)) as UnscoredEvent;
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

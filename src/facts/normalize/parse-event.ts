/** One line of `events.ndjson`, untrusted, into an event draft. */

import {
  CATEGORIES,
  EVENT_STATUSES,
  type Organizer,
  SIGNAL_KINDS,
  type Signal,
  START_PRECISIONS,
  type StartPrecision,
} from '../../records/index.ts';
import type { CityTime } from '../../values/city-time.ts';
import { DAY_MS } from '../../values/duration.ts';
import {
  amount,
  type Check,
  type Checked,
  dateTime,
  type Fields,
  flag,
  imageUrl,
  list,
  numberWithin,
  object,
  oneOf,
  optional,
  readFields,
  text,
  textOrNull,
  uuid,
  webUrl,
} from '../checks.ts';
import type { EventDraft } from '../drafts.ts';
import { LIMITS } from '../limits.ts';

/** Reads lines of a city whose wall clock is `cityTime`. The rules are listed in docs/bundle.md. */
export function createEventParser(cityTime: CityTime): (value: unknown) => Checked<EventDraft> {
  const fields = eventFields(dateTime(cityTime));
  return (value) => {
    const read = readFields(fields, value);
    if (!read.ok) return read;
    const { startDatetime, endDatetime, startPrecision, ...rest } = read.value;
    if (startPrecision === null || startPrecision === 'time') {
      return checkEvent({ ...rest, startsAt: startDatetime, endsAt: endDatetime });
    }
    const startsAt = cityTime.dayBounds(cityTime.day(startDatetime)).first;
    return checkEvent({ ...rest, startsAt, endsAt: endDatetime, startPrecision });
  };
}

/** What holds between the fields of an event, from whatever hand they are. */
export function checkEvent<T extends Pick<EventDraft, 'startsAt' | 'endsAt' | 'isFree' | 'priceMin' | 'priceMax'>>(
  draft: T,
): Checked<T> {
  const { startsAt, endsAt, isFree, priceMin, priceMax } = draft;
  if (endsAt !== null && endsAt < startsAt) return refused('endDatetime', 'wanted an end at or after the start');
  if (endsAt !== null && endsAt - startsAt > MAX_MS) {
    return refused('endDatetime', `wanted an event of at most ${MAX_DAYS} days, got ${Math.ceil((endsAt - startsAt) / DAY_MS)}`);
  }
  if (!isFree) {
    if (priceMin !== null && priceMax !== null && priceMin > priceMax) {
      return refused('priceMax', `wanted at least priceMin (${priceMin}), got ${priceMax}`);
    }
    return { ok: true, value: draft };
  }
  if (priceMin) return refused('priceMin', `wanted 0 because isFree is true, got ${priceMin}`);
  if (priceMax) return refused('priceMax', `wanted 0 because isFree is true, got ${priceMax}`);
  return { ok: true, value: { ...draft, priceMin: 0, priceMax: 0 } };
}

const refused = (field: string, reason: string): { ok: false; field: string; reason: string } => ({ ok: false, field, reason });

type EventLine = Omit<EventDraft, 'startsAt' | 'endsAt' | 'startPrecision' | 'links'> & {
  startDatetime: number;
  endDatetime: number | null;
  startPrecision: StartPrecision | null;
};

export function eventFields(instant: Check<number>): Fields<EventLine> {
  const signal: Fields<Signal> = { kind: oneOf(SIGNAL_KINDS), value: numberWithin(0, Number.MAX_VALUE), observedAt: instant };
  return {
    externalId: text(LIMITS.externalId),
    id: optional(uuid, null),
    title: text(LIMITS.title),
    category: oneOf(CATEGORIES),
    startDatetime: instant,
    endDatetime: optional(instant, null),
    description: textOrNull(LIMITS.description, { lines: true }),
    imageUrl: optional(imageUrl, null),
    isFree: flag,
    priceMin: optional(amount, null),
    priceMax: optional(amount, null),
    venue: text(LIMITS.externalId),
    status: optional(oneOf(EVENT_STATUSES), 'scheduled'),
    performers: list(text(LIMITS.performer), LIMITS.performers),
    tags: list(text(LIMITS.tag), LIMITS.tags),
    sources: list(text(LIMITS.source), LIMITS.sources),
    signals: list(object(signal), LIMITS.signals),
    startPrecision: optional(oneOf(START_PRECISIONS), null),
    organizer: optional(object<Organizer>({ name: text(LIMITS.organizer), url: optional(webUrl, null) }), null),
  };
}

/** Long exhibitions last for years; what claims to last longer is a mistake. */
const MAX_DAYS = 5 * 366;
const MAX_MS = MAX_DAYS * DAY_MS;

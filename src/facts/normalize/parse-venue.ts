/** One line of `venues.ndjson`, untrusted, into a venue draft. */

import { CAPACITY_TIERS, type OpeningHours, VENUE_TYPES, type Weekday } from '../../records/index.ts';
import {
  type Check,
  type Checked,
  type Fields,
  flag,
  isPlainObject,
  isRefusal,
  list,
  numberWithin,
  object,
  oneOf,
  optional,
  readFields,
  refuse,
  text,
  textOrNull,
  uuid,
  wanted,
  webUrl,
} from '../checks.ts';
import type { VenueDraft } from '../drafts.ts';
import { LIMITS } from '../limits.ts';

/** The rules are listed in docs/bundle.md. Whether a named neighborhood exists is the caller's to check. */
export function parseVenue(value: unknown): Checked<VenueDraft> {
  const read = readFields(VENUE_FIELDS, value);
  if (!read.ok) return read;
  const { metadata, isApproximate, ...rest } = read.value;
  if (rest.latitude === 0 && rest.longitude === 0) {
    return { ok: false, field: 'latitude', reason: 'wanted coordinates, got 0/0, which stands for unknown ones' };
  }
  return { ok: true, value: { ...rest, ...metadata, ...(isApproximate ? { isApproximate } : {}) } };
}

type Metadata = Pick<VenueDraft, 'website' | 'parking' | 'transitNearby' | 'openingHours'>;
type VenueLine = Omit<
  VenueDraft,
  keyof Metadata | 'isApproximate' | 'area' | 'quarter' | 'provider' | 'placedBy' | 'typeFacts'
> & {
  metadata: Metadata;
  isApproximate: true | null;
};

const time: Check<string> = (value) =>
  typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? value : wanted('a time such as 17:00', value);

const day: Check<string> = (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return wanted('a day such as 2026-11-21', value);
  try {
    return Temporal.PlainDate.from(value, { overflow: 'reject' }).toString();
  } catch {
    return wanted('a day that exists', value);
  }
};

const timezone: Check<string> = (value) => {
  try {
    return Temporal.Now.instant().toZonedDateTimeISO(String(value)).timeZoneId;
  } catch {
    return wanted('an IANA time zone', value);
  }
};

export const WEEKDAYS: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

type Exception = OpeningHours['exceptions'][number];
const EXCEPTION: Check<Exception> = (value) => {
  const read = object<Exception>({
    from: day,
    to: day,
    closed: flag,
    opens: optional(time, null),
    closes: optional(time, null),
    reason: textOrNull(200),
  })(value);
  if (isRefusal(read)) return read;
  if (read.to < read.from) return refuse(`wanted a day at or after ${read.from}, got ${read.to}`, '.to');
  if (!read.closed && (read.opens === null || read.closes === null)) {
    return refuse('wanted a time because closed is false, got nothing', read.opens === null ? '.opens' : '.closes');
  }
  return read;
};

const HOURS: Fields<OpeningHours> = {
  timezone,
  weekly: list(object({ days: list(oneOf(WEEKDAYS), 7), opens: time, closes: time }), 50),
  exceptions: list(EXCEPTION, 200),
};

export const METADATA: Fields<Metadata> = {
  website: optional(webUrl, null),
  parking: textOrNull(2000, { lines: true }),
  transitNearby: list(text(200), 50),
  openingHours: optional(object(HOURS), null),
};

const metadata: Check<Metadata> = (value) =>
  value === undefined || value === null || isPlainObject(value) ? object(METADATA)(value ?? {}) : wanted('an object', value);

export const VENUE_FIELDS: Fields<VenueLine> = {
  externalId: text(LIMITS.externalId),
  id: optional(uuid, null),
  name: text(LIMITS.name),
  type: oneOf(VENUE_TYPES),
  address: textOrNull(LIMITS.address),
  latitude: numberWithin(-90, 90),
  longitude: numberWithin(-180, 180),
  capacityTier: optional(oneOf(CAPACITY_TIERS), null),
  isVerified: flag,
  neighborhood: optional(text(100), null),
  metadata,
  isApproximate: optional((value) => (value === true ? value : wanted('true or nothing', value)), null),
};

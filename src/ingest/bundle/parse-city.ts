/** `city.json`, untrusted, into the city. */

import type { City } from '../../catalog/index.ts';
import {
  type Check,
  type Checked,
  type Fields,
  isRefusal,
  numberWithin,
  object,
  oneOf,
  readFields,
  text,
  wanted,
} from '../../normalize/index.ts';
import { SLUG } from './parse-neighborhoods.ts';

export function parseCity(value: unknown): Checked<City> {
  const read = readFields(CITY_FIELDS, value);
  if (!read.ok) return read;
  const { center, ...rest } = read.value;
  return { ok: true, value: { ...rest, ...center } };
}

type Center = Pick<City, 'latitude' | 'longitude'>;

const slug: Check<string> = (value) =>
  typeof value === 'string' && SLUG.test(value) ? value : wanted('a slug such as new-york', value);

const timezone: Check<string> = (value) => {
  if (typeof value !== 'string' || !/^[A-Za-z]/.test(value)) return wanted('an IANA time zone such as America/New_York', value);
  try {
    Temporal.Now.instant().toZonedDateTimeISO(value);
    return value;
  } catch {
    return wanted('an IANA time zone such as America/New_York', value);
  }
};

const currency: Check<string> = (value) => {
  const checked = oneOf(Intl.supportedValuesOf('currency'))(value);
  return isRefusal(checked) ? wanted('an ISO 4217 currency such as USD', value) : checked;
};

const locale: Check<string> = (value) => {
  try {
    const [canonical] = typeof value === 'string' ? Intl.getCanonicalLocales(value) : [];
    return canonical ?? wanted('a BCP 47 locale such as en-US', value);
  } catch {
    return wanted('a BCP 47 locale such as en-US', value);
  }
};

const CITY_FIELDS: Fields<Omit<City, keyof Center> & { center: Center }> = {
  slug,
  name: text(200),
  timezone,
  currency,
  locale,
  center: object<Center>({ latitude: numberWithin(-90, 90), longitude: numberWithin(-180, 180) }),
};

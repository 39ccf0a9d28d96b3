/** Makes the facts of a city from the input of an operator: slug, currency and locale follow from name, country and languages. */

import tzlookup from '@photostructure/tz-lookup';
import countryToCurrency from 'country-to-currency';
import { type City, slugify } from '../records/index.ts';
import type { Point } from '../values/distance.ts';

/** As typed; null where nothing was. */
export interface CityInput {
  name: string;
  /** `LAT,LON` */
  center: string | null;
  zone: string | null;
  country: string | null;
  /** `en,fr`: the first is the language of the city. */
  languages: string | null;
}

export type CityFact = 'center' | 'zone' | 'country';

export type DescribedCity = { ok: true; city: City } | { ok: false; missing: CityFact | null; reason: string };

/** The city, or what is missing of it, or one sentence on what is wrong. */
export function describeCity({ name, center, zone, country, languages }: CityInput): DescribedCity {
  const slug = slugify(name);
  if (slug === '' || name.length > MAX_NAME_CHARS) {
    return wrong(`wanted a name of 1 to ${MAX_NAME_CHARS} characters with Latin, Greek or Cyrillic letters, got ${quote(name)}`);
  }
  if (center === null)
    return missing('center', 'the center of the city is missing: --center LAT,LON in degrees, such as 45.5,-73.6');
  const point = parseCenter(center);
  if (!point) return wrong(`wanted --center LAT,LON in degrees, such as 45.5,-73.6, got ${quote(center)}`);
  if (country === null) return missing('country', 'the country of the city is missing: --country with two letters, such as CA');
  const region = canonicalCountry(country);
  const currency = region && currencyOf(region);
  if (region === null || currency === null)
    return wrong(`wanted --country with the two letters of a country (ISO 3166-1), such as CA, got ${quote(country)}`);
  if (zone === null)
    return missing('zone', 'the time zone of the city is missing: --zone with an IANA name, such as America/Toronto');
  const timezone = canonicalZone(zone);
  if (timezone === null) return wrong(`wanted --zone with an IANA time zone, such as America/Toronto, got ${quote(zone)}`);
  const spoken = readLanguages(languages ?? new Intl.Locale(`und-${region}`).maximize().language);
  if (!spoken.ok) return spoken;
  const [first = 'en', ...others] = spoken.languages;
  return {
    ok: true,
    city: {
      slug,
      name: name.trim(),
      timezone,
      currency,
      locale: withRegion(first, region),
      ...point,
      ...(others.length > 0 && { languages: others.map((language) => withRegion(language, region)) }),
    },
  };
}

/** Two numbers in degrees; null for anything else. */
export function parseCenter(text: string): Point | null {
  const parts = /^\s*([+-]?\d{1,3}(?:\.\d{1,20})?)\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d{1,20})?)\s*$/.exec(text);
  if (!parts) return null;
  const [latitude, longitude] = [Number(parts[1]), Number(parts[2])];
  const isOnMap = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && !(latitude === 0 && longitude === 0);
  return isOnMap ? { latitude, longitude } : null;
}

/** The time zone at a center as it is typed, for whoever gave none. */
export function zoneAt(center: string): string | null {
  const point = parseCenter(center);
  const zone = point && canonicalZone(tzlookup(point.latitude, point.longitude));
  // The open sea has zones of its own.
  return zone === null || zone.startsWith('Etc/') ? null : zone;
}

/** The one country that has this zone; null where several or none do. */
export function countryOfZone(zone: string): string | null {
  const countries = Object.keys(countryToCurrency).filter(
    (code) => canonicalCountry(code) === code && new Intl.Locale(`und-${code}`).getTimeZones()?.includes(zone),
  );
  return countries.length === 1 ? (countries[0] ?? null) : null;
}

/** In capitals; null unless it is a country of ISO 3166-1. */
function canonicalCountry(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z]{2}$/.test(code)) return null;
  const isKnown = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(code) !== undefined;
  // Codes that are no longer in use, such as UK, are read as those that took their place.
  return isKnown ? (new Intl.Locale(`und-${code}`).region ?? null) : null;
}

const currencyOf = (country: string): string | null => (countryToCurrency as Readonly<Record<string, string>>)[country] ?? null;

function canonicalZone(text: string): string | null {
  if (!/^[A-Za-z]/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text.trim() }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

function readLanguages(text: string): { ok: true; languages: string[] } | { ok: false; missing: null; reason: string } {
  const languages: string[] = [];
  for (const part of text.split(',').map((each) => each.trim())) {
    const language = canonicalLanguage(part);
    if (language === null) {
      return wrong(`wanted --languages with codes of languages, such as en,fr, got ${quote(part === '' ? text : part)}`);
    }
    if (!languages.includes(language)) languages.push(language);
  }
  return { ok: true, languages };
}

/** BCP 47; null for what no language is called. */
function canonicalLanguage(text: string): string | null {
  try {
    const locale = new Intl.Locale(text);
    const isKnown = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(locale.language) !== undefined;
    return isKnown && locale.language !== 'und' ? locale.baseName : null;
  } catch {
    return null;
  }
}

function withRegion(language: string, region: string): string {
  const locale = new Intl.Locale(language);
  return locale.region === undefined ? new Intl.Locale(language, { region }).baseName : locale.baseName;
}

const missing = (fact: CityFact, reason: string) => ({ ok: false, missing: fact, reason }) as const;
const wrong = (reason: string) => ({ ok: false, missing: null, reason }) as const;
const quote = (text: string): string => JSON.stringify(text.slice(0, 100));

const MAX_NAME_CHARS = 200;

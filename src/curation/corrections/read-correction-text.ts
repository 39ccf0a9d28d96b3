/** What a person types for a field, as the value that is checked. */

import { findField } from '../correctable-fields.ts';
import { readHours } from '../hours-text.ts';
import type { CorrectedEntity } from './active-corrections.ts';

/**
 * `none` says that nothing is known. Prices: `free`, `12`, `12-20`, `unknown`; coordinates: `40.7, -73.9`; lists: separated by
 * commas; `links`: each a provider and a URL, on lines of their own or separated by commas; `verified`: `yes` or `no`; opening hours: lines as `readHours` takes them, on the clocks of `zone`, or the JSON of
 * docs/bundle.md. All else is taken as it is. Parts of fields by the names of the API: numbers, and `isFree`: `yes` or `no`.
 */
export function readCorrectionText(entity: CorrectedEntity, field: string, text: string, zone: string): unknown {
  const typed = text.trim();
  const read = READERS[`${entity} ${field}`] ?? READERS[`${entity} ${findField(entity, field)?.field}`];
  if (read) return read(typed, zone);
  return typed === 'none' ? null : text;
}

const READERS: Readonly<Record<string, (typed: string, zone: string) => unknown>> = {
  'event price': price,
  'event isFree': yesOrNo,
  'event priceMin': number,
  'event priceMax': number,
  'event performers': listOf,
  'event tags': listOf,
  'event links': links,
  'event title': (typed) => typed,
  'venue name': (typed) => typed,
  'venue transit': listOf,
  'venue verified': yesOrNo,
  'venue coordinates': point,
  'venue latitude': number,
  'venue longitude': number,
  'venue hours': hours,
};

function yesOrNo(typed: string): unknown {
  return { yes: true, true: true, no: false, false: false }[typed.toLowerCase()] ?? typed;
}

function number(typed: string): unknown {
  if (typed === 'none') return null;
  return /^-?\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed;
}

function price(typed: string): unknown {
  const word = typed.toLowerCase();
  if (word === 'free') return { isFree: true };
  if (word === 'unknown' || word === 'none') return { isFree: false };
  const [, least, , most] = /^(\d+(\.\d+)?)(?:\s*[-–]\s*(\d+(?:\.\d+)?))?$/.exec(typed) ?? [];
  if (least === undefined) return typed;
  return { isFree: false, priceMin: Number(least), priceMax: Number(most ?? least) };
}

function point(typed: string): unknown {
  const [, latitude, longitude] = /^(-?\d+(?:\.\d+)?)\s*[,\s]\s*(-?\d+(?:\.\d+)?)$/.exec(typed) ?? [];
  return latitude === undefined ? typed : { latitude: Number(latitude), longitude: Number(longitude) };
}

function listOf(typed: string): string[] {
  if (typed === 'none') return [];
  return typed
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** `Box office https://…`; a URL alone is named by its host. */
function links(typed: string): unknown {
  if (typed === 'none') return [];
  const entries = typed.split(/,\s|\n/).map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, provider, url = entry] = /^(.*\S)\s+(\S+)$/.exec(entry) ?? [];
      return { provider: provider ?? URL.parse(url)?.hostname.replace(/^www\./, '') ?? url, url };
    });
}

function hours(typed: string, zone: string): unknown {
  if (typed === '' || typed === 'none') return null;
  if (!typed.startsWith('{')) return readHours(typed, zone);
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

/** What a person types for a field, as the value that is checked. */

import { EVENT_FIELDS, type FieldKind, rowsOf, VENUE_FIELDS } from '../../catalog/index.ts';
import { findField } from '../correctable-fields.ts';
import { readHours } from '../hours-text.ts';
import type { CorrectedEntity } from './active-corrections.ts';

/**
 * `none` says that nothing is known. Prices: `free`, `12`, `12-20`, `unknown`; coordinates: `40.7, -73.9`; lists: separated by
 * commas; `links`: each a provider and a URL, on lines of their own or separated by commas; `organizer`: a name and, if there is one, a URL; `verified`: `yes` or `no`; opening hours: lines as `readHours` takes them, on the clocks of `zone`, or the JSON of
 * docs/bundle.md. All else is taken as it is. Parts of fields by the names of the API: numbers, and `isFree`: `yes` or `no`.
 */
export function readCorrectionText(entity: CorrectedEntity, field: string, text: string, zone: string): unknown {
  const typed = text.trim();
  const read = readerOf(entity, field) ?? readerOf(entity, findField(entity, field)?.field ?? field);
  if (read) return read(typed, zone);
  return typed === 'none' ? null : text;
}

type Reader = (typed: string, zone: string) => unknown;

/** By a name in reports, or in the API. */
function readerOf(entity: CorrectedEntity, name: string): Reader | undefined {
  if (Object.hasOwn(READER_OF_WHOLE, name)) return READER_OF_WHOLE[name];
  const row = rowsOf(entity === 'event' ? EVENT_FIELDS : VENUE_FIELDS).find(
    ({ field, shownAs, reportName = field, column }) => column !== undefined && (reportName === name || shownAs === name),
  );
  if (!row) return undefined;
  // A text that must be there is never `none`.
  if (row.kind === 'text' && !row.nullable) return (typed) => typed;
  return READER_OF_KIND[row.kind];
}

/** Of fields that are corrected together. */
const READER_OF_WHOLE: Readonly<Record<string, Reader>> = { price, coordinates: point };
const READER_OF_KIND: Partial<Record<FieldKind, Reader>> = {
  flag: yesOrNo,
  amount: number,
  degrees: number,
  texts: listOf,
  links,
  hours,
  organizer,
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

/** `Harbor Arts https://…`; the URL may be missing. */
function organizer(typed: string): unknown {
  if (typed === '' || typed === 'none') return null;
  const [, name = typed, url = null] = /^(.*\S)\s+(https?:\S+)$/i.exec(typed) ?? [];
  return { name, url };
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

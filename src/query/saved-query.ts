/** Queries that are saved as feeds: filters and order of `GET /events`, read by the rules of its parameters. */

import type { ParameterProblem } from '../http/index.ts';
import { createCityTime } from '../values/city-time.ts';
import { type EventListValues, eventListConflicts, eventListParameters, savedParameters } from './event-query.ts';
import { absentValues, type Parameter, parseQuery, problemsOf, readParameters } from './parameter.ts';

/**
 * Filters and order of `GET /events` as a query string: checked by the parameter rules, in canonical form. Only `readSavedQuery` makes it,
 * so text that nobody checked cannot be saved.
 */
export type CheckedQuery = string & { readonly checked: true };

export type SavedQueryReading =
  | { ok: true; query: CheckedQuery }
  /** All that is wrong; never empty. */
  | { ok: false; errors: readonly ParameterProblem[] };

/** The parameters of `GET /events` that a feed can have. */
export const SAVED_PARAMETERS: readonly string[] = Object.keys(savedParameters);
const saved: Readonly<Record<string, Parameter<unknown>>> = savedParameters;

/**
 * Reads a query string as strictly as `Prefer: handling=strict`, and writes it in one form: parameters in the order of the documentation,
 * without those that change nothing. `now`: directory time, milliseconds.
 */
export function readSavedQuery(text: string, { timezone, now }: { timezone: string; now: number }): SavedQueryReading {
  const read = readParameters(saved, parseQuery(text), { city: createCityTime(timezone), strict: true });
  const values = { ...absentValues(eventListParameters), ...read.values };
  const errors = problemsOf(read, eventListConflicts(values, now));
  if (errors.length > 0) return { ok: false, errors };
  const sent = new Map(read.sent);
  const parts = SAVED_PARAMETERS.filter((name) => read.values[name] !== saved[name]?.absent).map((name): [string, string] => [
    name,
    formatValue(read.values[name], sent.get(name) ?? ''),
  ]);
  return { ok: true, query: new URLSearchParams(parts).toString() as CheckedQuery };
}

/** What reads the same again: a date without offset must stay one, so most values stay as they were sent. */
function formatValue(value: unknown, sent: string): string {
  if (value === true) return 'true';
  return typeof value === 'string' ? value : sent.normalize('NFC').trim();
}

/** What a saved query asks of the list now; null where nothing can match any more, such as a range that is over. */
export function readSavedValues(query: string, { timezone, now }: { timezone: string; now: number }): EventListValues | null {
  const read = readParameters(eventListParameters, parseQuery(query), { city: createCityTime(timezone), strict: false });
  return problemsOf(read, eventListConflicts(read.values, now)).length > 0 ? null : read.values;
}

/** Which public fields of a record differ from what is stored, and what they were. */

import { isDeepStrictEqual } from 'node:util';
import type { PreviousValues } from '../model.ts';

/** How a field of a record is shown in the API: its name there, and its value. */
type ShownField<T> = { [K in keyof T]: { name: string; show(value: T[K]): unknown } };

/** The stored values of the fields that differ, as the API shows them; undefined when none does. The order of keys does not count. */
export function previousValues<T extends object>(stored: T, written: T, fields: ShownField<T>): PreviousValues | undefined {
  let previous: Record<string, unknown> | undefined;
  for (const key in fields) {
    if (isSameValue(stored[key], written[key])) continue;
    previous ??= {};
    previous[fields[key].name] = fields[key].show(stored[key]);
  }
  return previous;
}

function isSameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b));
}

/** A field that the API shows as it is stored. */
export const plainField = (name: string) => ({ name, show: (value: unknown): unknown => value });
/** Milliseconds, shown as ISO 8601 in UTC. */
export const instantField = (name: string) => ({
  name,
  show: (instant: number | null): unknown => (instant === null ? null : new Date(instant).toISOString()),
});
/** The id of another record, shown as the object that has it. */
export const referenceField = (name: string) => ({ name, show: (id: string): unknown => ({ id }) });

/** Which fields of a record differ from what is stored, and what they were. */

import { isDeepStrictEqual } from 'node:util';
import type { PreviousValues } from '../model.ts';

/** How each field of a record is shown: its name, and its value. */
export type ShownFields<T> = { readonly [K in keyof T]-?: { name: string; show(value: T[K]): unknown } };

/** The stored values of the fields that differ, as the API shows them; undefined when none does. The order of keys does not count. */
export function previousValues<T extends object>(stored: T, written: T, fields: ShownFields<T>): PreviousValues | undefined {
  let previous: Record<string, unknown> | undefined;
  for (const key in fields) {
    if (isSameValue(stored[key], written[key])) continue;
    previous ??= {};
    previous[fields[key].name] = fields[key].show(stored[key]);
  }
  return previous;
}

/** The fields that are shown otherwise than before, under the names of the table: both values as they are shown. */
export function changedFields<T extends object>(
  stored: T,
  written: T,
  fields: ShownFields<T>,
): Record<string, [before: unknown, after: unknown]> {
  const changed: Record<string, [unknown, unknown]> = {};
  for (const key in fields) {
    const { name, show } = fields[key];
    const [before, after] = [show(stored[key]), show(written[key])];
    if (!isSameValue(before, after)) changed[name] = [before, after];
  }
  return changed;
}

function isSameValue(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b));
}

/** A field that is shown as it is stored. */
export const plainField = (name: string) => ({ name, show: (value: unknown): unknown => value });

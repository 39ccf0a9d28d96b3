/** Values inside a stranger's JSON: nothing is where it is said to be. Paths are `a.b.0.c`, or '' for the value itself; own properties only. */

import { EVENT_LISTING, type EventListing } from '../listing.ts';
import { webAddress } from './web-address.ts';

export function valueAt(json: unknown, path: string): unknown {
  if (path === '') return json;
  return path
    .split('.')
    .reduce<unknown>(
      (found, step) =>
        typeof found === 'object' && found !== null && Object.hasOwn(found, step)
          ? (found as Record<string, unknown>)[step]
          : undefined,
      json,
    );
}

/** Text as it is written, blanks around it included; a number is its digits. Null for blank text and for anything else. */
export function textAt(json: unknown, path: string): string | null {
  const value = valueAt(json, path);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** A number, or text that is nothing else (`"27.97"`). */
export function numberAt(json: unknown, path: string): number | null {
  const value = valueAt(json, path);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : null;
}

export function capacityAt(json: unknown, path: string): number | null {
  return capacityOf(numberAt(json, path));
}

/** How many people: 0 is what unknown looks like. */
export function capacityOf(value: number | null): number | null {
  return value !== null && value >= 1 ? Math.trunc(value) : null;
}

export function flagAt(json: unknown, path: string): boolean | null {
  const value = valueAt(json, path);
  return typeof value === 'boolean' ? value : null;
}

export function listAt(json: unknown, path: string): readonly unknown[] {
  const value = valueAt(json, path);
  return Array.isArray(value) ? value : [];
}

/** The texts at `path` of each element of a list, each once. */
export function textsOf(list: readonly unknown[], path: string): string[] {
  return [...new Set(list.map((each) => textAt(each, path)).filter((text) => text !== null))];
}

/** An http or https address. */
export function urlAt(json: unknown, path: string): string | null {
  return webAddress(textAt(json, path));
}

/** Fields of an event that the provider calls by our own names, each read by its kind. */
export function sameNamed(record: unknown, ...names: readonly SameNamed[]): Partial<EventListing> {
  return Object.fromEntries(names.map((name) => [name, READERS[EVENT_LISTING[name]](record, name)]));
}
type SameNamed = {
  [F in keyof typeof EVENT_LISTING]: (typeof EVENT_LISTING)[F] extends keyof typeof READERS ? F : never;
}[keyof typeof EVENT_LISTING];
const READERS = { text: textAt, url: urlAt, number: numberAt, flag: flagAt };

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

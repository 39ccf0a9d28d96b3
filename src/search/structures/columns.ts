/** A table of numbers that grows by rows: one typed array for each column, so that a million rows are a dozen objects. */

import type { Wholes } from './whole.ts';

const KINDS = {
  u8: Uint8Array,
  u32: Uint32Array,
  i32: Int32Array,
  f64: Float64Array,
  whole: Float64Array,
} as const;
type Kind = keyof typeof KINDS;
type Column<K extends Kind> = K extends 'whole' ? Wholes : InstanceType<(typeof KINDS)[K]>;
type Schema = Readonly<Record<string, Kind>>;

export interface Columns<S extends Schema> {
  /** Longer than `count`: look it up anew after `grow`. */
  readonly at: { [Name in keyof S]: Column<S[Name]> };
  readonly count: number;
  /** Makes rows up to `count` exist; new ones are all zeros. */
  grow(count: number): void;
  /** A copy of each column, exactly `count` long, in the schema's order. */
  copies(): { name: string; bytes: Uint8Array }[];
}

/** `held` are the bytes of each column of a table that was saved, by name. Throws `RangeError` when they do not fit. */
export function createColumns<S extends Schema>(
  schema: S,
  held?: { count: number; bytes: ReadonlyMap<string, Uint8Array> },
): Columns<S> {
  const at: Record<string, Column<Kind>> = {};
  let count = held?.count ?? 0;
  let capacity = count;
  for (const [name, kind] of Object.entries(schema)) {
    at[name] = new KINDS[kind](count);
    if (!held) continue;
    const bytes = held.bytes.get(name);
    if (bytes?.byteLength !== at[name].byteLength) throw new RangeError(`column ${name} does not fit`);
    new Uint8Array(at[name].buffer).set(bytes);
  }
  return {
    at: at as Columns<S>['at'],
    get count() {
      return count;
    },
    grow(wanted) {
      count = Math.max(count, wanted);
      if (count <= capacity) return;
      capacity = Math.max(MIN_ROWS, count, Math.ceil(capacity * GROWTH));
      for (const [name, kind] of Object.entries(schema)) {
        const larger = new KINDS[kind](capacity);
        larger.set(at[name]!);
        at[name] = larger;
      }
    },
    copies: () => Object.entries(at).map(([name, column]) => ({ name, bytes: new Uint8Array(column.slice(0, count).buffer) })),
  };
}

const MIN_ROWS = 64;
/** Half a table to spare at most. */
const GROWTH = 1.5;

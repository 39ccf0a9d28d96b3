/** Groups of listings against pairs that somebody labelled: how many of the same are found, and how many found are the same. */

import { readFileSync } from 'node:fs';

export interface LabelledPair {
  left: string;
  right: string;
  label: 'same' | 'different';
  /** `tune` was looked at while the rules were made, `held` was not; files of others may have none. */
  part: string;
  /** Of what is listed: `concerts` (with clubs), `theatre`, `rest`; empty in files that do not say. */
  kind: string;
  /** Of the file that has both listings; empty in files of labels about one day. */
  day: string;
}

export interface Measure {
  /** `tune`, `held` or `all`, after the kind if it is of one. */
  part: string;
  /** Labelled same, and in one group. */
  found: number;
  /** Labelled different, and in one group. */
  wrong: number;
  /** Labelled same, and in two groups; of these, what a person is asked about. */
  missed: number;
  missedAsked: number;
  /** Labelled different, and in two groups. */
  apart: number;
  /** Pairs of which a listing was refused, or is not in the file. */
  leftOut: number;
  /** 0–1; null where nothing was to be found. */
  precision: number | null;
  recall: number | null;
}

/**
 * Columns by tabs: left id, right id, `same` or `different`, and perhaps a part, a stratum, a kind and a day. Lines that begin with `#`
 * or say neither are passed over.
 */
export function readLabels(file: string): LabelledPair[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => {
      const [left = '', right = '', label = '', part = '', , kind = '', day = ''] = line.split('\t').map((cell) => cell.trim());
      return label === 'same' || label === 'different' ? [{ left, right, label, part, kind, day }] : [];
    });
}

/** What the rules make of the listings of one day. */
export interface DecidedListings {
  groups: readonly (readonly string[])[];
  asks: readonly { left: string; right: string }[];
}

/** A question counts as not the same. One measure for each part, one for all, and the same of each kind. */
export function measurePairs(
  pairs: readonly LabelledPair[],
  decidedOn: (day: string) => DecidedListings,
): { measures: Measure[]; wrong: LabelledPair[] } {
  const days = new Map([...new Set(pairs.map(({ day }) => day))].map((day) => [day, indexOf(decidedOn(day))]));
  const groupIn = (day: string, id: string) => days.get(day)?.groupOf.get(id);
  const isKnown = ({ left, right, day }: LabelledPair) => groupIn(day, left) !== undefined && groupIn(day, right) !== undefined;
  const isFound = ({ left, right, day }: LabelledPair) => groupIn(day, left) === groupIn(day, right);
  const isAsked = ({ left, right, day }: LabelledPair) =>
    days.get(day)?.asked.has(between(groupIn(day, left), groupIn(day, right))) === true;
  const measure = (part: string, own: readonly LabelledPair[]): Measure => {
    const known = own.filter(isKnown);
    const count = (label: string, isOne: boolean) =>
      known.filter((pair) => pair.label === label && isFound(pair) === isOne).length;
    const [found, wrong, missed] = [count('same', true), count('different', true), count('same', false)];
    return {
      part,
      found,
      wrong,
      missed,
      apart: count('different', false),
      leftOut: own.length - known.length,
      missedAsked: known.filter((pair) => pair.label === 'same' && !isFound(pair) && isAsked(pair)).length,
      precision: found + wrong === 0 ? null : found / (found + wrong),
      recall: found + missed === 0 ? null : found / (found + missed),
    };
  };
  const parts = valuesOf(pairs, 'part');
  const ofParts = (own: readonly LabelledPair[], of: (part: string) => string): Measure[] => [
    ...parts.map((part) =>
      measure(
        of(part),
        own.filter((pair) => pair.part === part),
      ),
    ),
    measure(of('all'), own),
  ];
  return {
    measures: [
      ...ofParts(pairs, (part) => part),
      ...valuesOf(pairs, 'kind').flatMap((kind) =>
        ofParts(
          pairs.filter((pair) => pair.kind === kind),
          (part) => `${kind}, ${part}`,
        ),
      ),
    ],
    wrong: pairs.filter((pair) => isKnown(pair) && isFound(pair) !== (pair.label === 'same')),
  };
}

/** `precision 0.993 (284 of 286), recall 0.966 (284 of 294)`. */
export function printMeasure({ found, wrong, missed, precision, recall }: Measure): string {
  const share = (value: number | null) => (value === null ? 'none' : value.toFixed(4));
  return `precision ${share(precision)} (${found} of ${found + wrong}), recall ${share(recall)} (${found} of ${found + missed})`;
}

const valuesOf = (pairs: readonly LabelledPair[], name: 'part' | 'kind'): string[] =>
  [...new Set(pairs.map((pair) => pair[name]))].filter((value) => value !== '').sort();

function indexOf({ groups, asks }: DecidedListings): { groupOf: Map<string, number>; asked: Set<string> } {
  const groupOf = new Map(groups.flatMap((group, index) => group.map((id) => [id, index] as const)));
  return { groupOf, asked: new Set(asks.map(({ left, right }) => between(groupOf.get(left), groupOf.get(right)))) };
}

const between = (a: number | undefined, b: number | undefined): string => [a, b].sort().join(' ');

/** Groups of listings against pairs that somebody labelled: how many of the same are found, and how many found are the same. */

import { readFileSync } from 'node:fs';

export interface LabelledPair {
  left: string;
  right: string;
  label: 'same' | 'different';
  /** `tune` was looked at while the rules were made, `held` was not; files of others may have none. */
  part: string;
}

export interface Measure {
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

/** Columns by tabs: left id, right id, `same` or `different`, and perhaps a part. Lines that begin with `#` or say neither are passed over. */
export function readLabels(file: string): LabelledPair[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => {
      const [left = '', right = '', label = '', part = ''] = line.split('\t').map((cell) => cell.trim());
      return label === 'same' || label === 'different' ? [{ left, right, label, part }] : [];
    });
}

/** A question counts as not the same. One measure for each part, and one for all. */
export function measurePairs(
  pairs: readonly LabelledPair[],
  clusters: { groups: readonly (readonly string[])[]; asks: readonly { left: string; right: string }[] },
): { measures: Measure[]; wrong: LabelledPair[] } {
  const groupOf = new Map(clusters.groups.flatMap((group, index) => group.map((id) => [id, index] as const)));
  const asked = new Set(clusters.asks.map(({ left, right }) => between(groupOf.get(left), groupOf.get(right))));
  const isKnown = ({ left, right }: LabelledPair) => groupOf.has(left) && groupOf.has(right);
  const isFound = ({ left, right }: LabelledPair) => groupOf.get(left) === groupOf.get(right);
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
      missedAsked: known.filter(
        (pair) => pair.label === 'same' && !isFound(pair) && asked.has(between(groupOf.get(pair.left), groupOf.get(pair.right))),
      ).length,
      precision: found + wrong === 0 ? null : found / (found + wrong),
      recall: found + missed === 0 ? null : found / (found + missed),
    };
  };
  const parts = [...new Set(pairs.map(({ part }) => part))].filter((part) => part !== '').sort();
  return {
    measures: [
      ...parts.map((part) =>
        measure(
          part,
          pairs.filter((pair) => pair.part === part),
        ),
      ),
      measure('all', pairs),
    ],
    wrong: pairs.filter((pair) => isKnown(pair) && isFound(pair) !== (pair.label === 'same')),
  };
}

/** `precision 0.993 (284 of 286), recall 0.966 (284 of 294)`. */
export function printMeasure({ found, wrong, missed, precision, recall }: Measure): string {
  const share = (value: number | null) => (value === null ? 'none' : value.toFixed(4));
  return `precision ${share(precision)} (${found} of ${found + wrong}), recall ${share(recall)} (${found} of ${found + missed})`;
}

const between = (a: number | undefined, b: number | undefined): string => [a, b].sort().join(' ');

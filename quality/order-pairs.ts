/** Pairs of listings of which somebody has said which event a local would put first, and how often the directory agrees. */

import { readFileSync } from 'node:fs';
import type { RankedDay } from './ranked-days.ts';

export interface OrderPair {
  day: string;
  /** Ids of listings. */
  first: string;
  second: string;
  /** `tune` was looked at while the rules were made, `held` was not. */
  part: string;
}

export interface Agreement {
  agreed: number;
  of: number;
  /** Where a listing is in no event that is listed. */
  leftOut: number;
}

export function readOrderPairs(): OrderPair[] {
  return readFileSync(new URL('./labels/order-pairs.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [day = '', first = '', second = '', part = ''] = line.split('\t');
      return { day, first, second, part };
    });
}

/** Of the pairs of one day. Two listings of one event agree with nothing. */
export function measureOrder({ day, events }: RankedDay, pairs: readonly OrderPair[]): Map<string, Agreement> {
  const places = new Map(events.flatMap(({ listings }, place) => listings.map((id) => [id, place] as const)));
  const measured = new Map<string, Agreement>();
  for (const pair of pairs) {
    if (pair.day !== day) continue;
    const agreement = measured.get(pair.part) ?? { agreed: 0, of: 0, leftOut: 0 };
    const [first, second] = [places.get(pair.first), places.get(pair.second)];
    if (first === undefined || second === undefined || first === second) agreement.leftOut += 1;
    else {
      agreement.of += 1;
      if (first < second) agreement.agreed += 1;
    }
    measured.set(pair.part, agreement);
  }
  return measured;
}

/** What is usual in a category: the middle of its events and how far they lie apart. */

import type { Category } from '../catalog/index.ts';
import { type Momentum, TRACKS, type Track } from './momentum.ts';
import { median, spread } from './series.ts';

export interface Usual {
  middle: number;
  /** A robust deviation. */
  spread: number;
}
/** The gain of a track, or the appeal of events that are not new. */
type Measure = Track | 'level';

/** By category and measure. */
export type Peers = ReadonlyMap<string, Usual>;

/** Learns what is usual. A measure of which fewer than `MIN_PEERS` events of a category are known says nothing. */
export function createPeers(): { add(momentum: Momentum): void; read(): Peers } {
  const measured = new Map<string, number[]>();
  const note = (category: Category, measure: Measure, value: number): void => {
    const key = peerKey(category, measure);
    const values = measured.get(key);
    if (values) values.push(value);
    else measured.set(key, [value]);
  };
  return {
    add({ category, rises, appeal }) {
      for (const track of TRACKS) {
        const rise = rises[track];
        if (rise) note(category, track, rise.gain);
      }
      if (appeal && !appeal.isNew) note(category, 'level', appeal.level);
    },
    read() {
      const known = [...measured].filter(([, values]) => values.length >= MIN_PEERS);
      return new Map(known.map(([key, values]) => [key, { middle: median(values), spread: spread(values) }]));
    },
  };
}

export const usualOf = (peers: Peers, category: Category, measure: Measure): Usual | undefined =>
  peers.get(peerKey(category, measure));

const peerKey = (category: Category, measure: Measure): string => `${category} ${measure}`;

export const MIN_PEERS = 20;

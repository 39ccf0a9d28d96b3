/**
 * The counts of subscriptions in memory that all serving threads share. A subscription has one record for as long as the process lives:
 *
 *   index     lock, records so far, and a chain of records for each hash of an id
 *   records   [ lock | next | id (4) | ring (6) | day | used | other days … ]
 *   rings     the times of the last minute, given back when a subscription is idle
 */

import { type Count, MAX_OTHER_DAYS, type OtherDays, type RequestCounts } from '../counts.ts';
import { RollingMinute } from '../rolling-minute.ts';
import { lock, unlock } from './lock.ts';
import { createRingArena } from './ring-arena.ts';
import { RING_STATE, SharedRing } from './shared-ring.ts';
import { createWords, SharedWords } from './shared-words.ts';

/** Can be sent to another thread. */
export interface CountMemory {
  index: SharedArrayBuffer;
  records: SharedArrayBuffer;
  rings: SharedArrayBuffer;
}

export const createCountMemory = (): CountMemory => ({
  index: new SharedArrayBuffer((CHAINS_AT + CHAINS) * Int32Array.BYTES_PER_ELEMENT),
  records: createWords(MAX_BYTES),
  rings: createWords(MAX_BYTES),
});

/** For one thread. Ids must be UUIDs. */
export function openSharedCounts(memory: CountMemory): RequestCounts {
  const index = new Int32Array(memory.index);
  const records = new SharedWords(memory.records);
  const times = new SharedWords(memory.rings);
  const ring = new SharedRing(records, times, createRingArena(times));
  const count = new SharedCount(records, new RollingMinute(ring));
  /** Records never move: each is looked for once. */
  const places = new Map<string, number>();

  function find(id: readonly number[], chain: number): number | null {
    for (let number = index[chain] as number; number !== 0; ) {
      const at = (number - 1) * RECORD.words;
      records.reach(at + RECORD.words);
      if (id.every((word, part) => records.ints[at + RECORD.id + part] === word)) return at;
      number = records.ints[at + RECORD.next] as number;
    }
    return null;
  }

  function append(id: readonly number[], chain: number): number {
    const number = (index[RECORDS] as number) + 1;
    const at = (number - 1) * RECORD.words;
    records.grow(at + RECORD.words);
    for (const [part, word] of id.entries()) records.ints[at + RECORD.id + part] = word;
    ring.point(at + RECORD.ring);
    ring.begin(0, 0, Number.NEGATIVE_INFINITY);
    records.ints[at + RECORD.next] = index[chain] as number;
    index[chain] = number;
    Atomics.store(index, RECORDS, number);
    return at;
  }

  function placeOf(subscriptionId: string): number {
    const known = places.get(subscriptionId);
    if (known !== undefined) return known;
    const id = readId(subscriptionId);
    const chain = CHAINS_AT + (((id[0] ^ id[3]) >>> 0) % CHAINS);
    lock(index, INDEX_LOCK);
    try {
      const at = find(id, chain) ?? append(id, chain);
      places.set(subscriptionId, at);
      return at;
    } finally {
      unlock(index, INDEX_LOCK);
    }
  }

  function takeAt(at: number): Count {
    lock(records.ints, at + RECORD.lock);
    ring.point(at + RECORD.ring);
    count.at = at;
    return count;
  }

  return {
    take: (subscriptionId) => takeAt(placeOf(subscriptionId)),
    release: () => unlock(records.ints, count.at + RECORD.lock),
    forEachInUse(work) {
      const end = Atomics.load(index, RECORDS) * RECORD.words;
      records.reach(end);
      for (let at = 0; at < end; at += RECORD.words) {
        // A glance without the lock: one that is taken into use just now has nothing to release.
        if (Atomics.load(records.ints, at + RECORD.capacity) === 0) continue;
        const taken = takeAt(at);
        try {
          work(taken);
        } finally {
          unlock(records.ints, at + RECORD.lock);
        }
      }
    },
  };
}

/** Stands for the record at `at`, one at a time. */
class SharedCount implements Count {
  readonly #records: SharedWords;
  readonly window: RollingMinute;
  readonly otherDays: OtherDays;
  at = 0;

  constructor(records: SharedWords, window: RollingMinute) {
    this.#records = records;
    this.window = window;
    this.otherDays = {
      get: (day) => this.#otherDay(this.#findOtherDay(day)),
      set: (day, used) => this.#setOtherDay(day, used),
      delete: (day) => this.#deleteOtherDay(this.#findOtherDay(day)),
    };
  }

  get subscriptionId(): string {
    const words = [0, 1, 2, 3].map((part) => ((this.#read(RECORD.id + part) >>> 0).toString(16) as string).padStart(8, '0'));
    return words.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  get day(): number {
    return this.#read(RECORD.day);
  }

  set day(day: number) {
    this.#write(RECORD.day, day);
  }

  get used(): number {
    return this.#read(RECORD.used);
  }

  set used(used: number) {
    this.#write(RECORD.used, used);
  }

  #findOtherDay(day: number): number {
    const days = this.#read(RECORD.otherDays);
    for (let place = 0; place < days; place += 1) if (this.#read(RECORD.firstOther + 2 * place) === day) return place;
    return -1;
  }

  #otherDay(place: number): number | undefined {
    return place < 0 ? undefined : this.#read(RECORD.firstOther + 2 * place + 1);
  }

  #setOtherDay(day: number, used: number): void {
    let place = this.#findOtherDay(day);
    if (place < 0) {
      if (this.#read(RECORD.otherDays) === MAX_OTHER_DAYS) this.#deleteOtherDay(0);
      place = this.#read(RECORD.otherDays);
      this.#write(RECORD.otherDays, place + 1);
    }
    this.#write(RECORD.firstOther + 2 * place, day);
    this.#write(RECORD.firstOther + 2 * place + 1, used);
  }

  #deleteOtherDay(place: number): void {
    if (place < 0) return;
    const days = this.#read(RECORD.otherDays);
    const first = this.at + RECORD.firstOther;
    this.#records.ints.copyWithin(first + 2 * place, first + 2 * (place + 1), first + 2 * days);
    this.#write(RECORD.otherDays, days - 1);
  }

  #read(word: number): number {
    return this.#records.ints[this.at + word] as number;
  }

  #write(word: number, value: number): void {
    this.#records.ints[this.at + word] = value;
  }
}

type IdWords = [number, number, number, number];

/** The four words of a UUID. */
function readId(id: string): IdWords {
  if (!UUID.test(id)) throw new TypeError(`the id of a subscription must be a UUID, but is ${JSON.stringify(id)}`);
  const digits = id.replaceAll('-', '');
  return [0, 8, 16, 24].map((from) => Number.parseInt(digits.slice(from, from + 8), 16) | 0) as IdWords;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Words of a record. The state of the ring begins at an even one. */
const RECORD = {
  lock: 0,
  next: 1,
  id: 2,
  ring: 6,
  /** Of the ring's state. */
  capacity: 7,
  day: 6 + RING_STATE,
  used: 7 + RING_STATE,
  otherDays: 8 + RING_STATE,
  firstOther: 10 + RING_STATE,
  words: 10 + RING_STATE + 2 * MAX_OTHER_DAYS,
} as const;
const INDEX_LOCK = 0;
const RECORDS = 1;
const CHAINS_AT = 2;
const CHAINS = 65_536;
/** Reserved, not used: 16 million records, and rings of half a million subscriptions that use all of the highest tier. */
const MAX_BYTES = 2 ** 31;

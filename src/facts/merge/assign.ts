/**
 * Which event or venue each group of records is. A pure function of who belongs together and what each record was before:
 *
 *   group {a, b}: a was E1 (its own), b was E2 (its own)   →  E1; E2 is merged into E1
 *   groups {a} {b}: both were E1, which is a's own         →  a stays E1, b is its own E2 again
 */

import { hash } from 'node:crypto';
import { compareText } from '../../values/compare-text.ts';

export interface Member {
  /** Of the record. */
  id: string;
  /** The event or venue the record is when it is alone. */
  ownId: string;
  /** What it was until now; null when it was nothing yet. */
  targetId: string | null;
  /** Milliseconds. The record that was known first lends its id. */
  firstSeenAt: number;
  /** It says another day than before, and no hour: a show that goes on and leaves the performance that it stood for to others. */
  hasGoneOn?: true;
}

export interface IdAssignment<M extends Member> {
  targetId: string;
  members: readonly M[];
}

export interface Assigned<M extends Member> {
  groups: IdAssignment<M>[];
  /** Targets that nobody is any more, each with the one that its records are now. */
  mergers: { id: string; into: string }[];
}

/**
 * `groups` must hold all present records of every target that one of them had. Each target is given to one group at most; `newId`
 * makes one for a group whose records' own ones are all in use by others.
 */
export function assignTargets<M extends Member>(groups: readonly (readonly M[])[], newId: (first: M) => string): Assigned<M> {
  const ordered = groups.map((members) => [...members].sort(byAge)).sort((a, b) => compareFirst(a, b));
  const taken = new Set<string>();
  const result = new Map<readonly M[], string>();
  const give = (members: readonly M[], targetId: string | undefined): void => {
    if (targetId === undefined || result.has(members)) return;
    taken.add(targetId);
    result.set(members, targetId);
  };
  const isAtHome = ({ ownId, targetId }: M) => targetId === ownId && !taken.has(ownId);
  const livesThere = ({ targetId }: M) => targetId !== null && !taken.has(targetId);
  // Who is at home keeps the house; then who lives there; then whoever has a house of its own that stands empty. Who has gone on comes
  // after those who stay.
  for (const mayHaveGoneOn of [false, true]) {
    const counts = ({ hasGoneOn }: M) => mayHaveGoneOn || hasGoneOn !== true;
    for (const is of [isAtHome, livesThere]) {
      for (const members of ordered) give(members, members.find((member) => counts(member) && is(member))?.targetId ?? undefined);
    }
  }
  for (const members of ordered) {
    give(members, members.find(({ ownId }) => !taken.has(ownId))?.ownId);
  }
  const assigned = ordered.flatMap((members) => {
    const [first] = members;
    return first ? [{ targetId: result.get(members) ?? newId(first), members }] : [];
  });
  return { groups: assigned, mergers: mergersOf(assigned, taken) };
}

function mergersOf<M extends Member>(groups: readonly IdAssignment<M>[], taken: ReadonlySet<string>): Assigned<M>['mergers'] {
  const into = new Map<string, string>();
  for (const { targetId, members } of groups) {
    for (const { targetId: before, ownId } of members) {
      if (before === null || taken.has(before)) continue;
      // Where the records of one target part, the one that is at home there leads.
      if (!into.has(before) || ownId === before) into.set(before, targetId);
    }
  }
  return [...into].map(([id, survivor]) => ({ id, into: survivor }));
}

export function byAge(a: Member, b: Member): number {
  return a.firstSeenAt - b.firstSeenAt || compareText(a.ownId, b.ownId);
}

function compareFirst(a: readonly Member[], b: readonly Member[]): number {
  const [first, second] = [a[0], b[0]];
  return first && second ? byAge(first, second) : b.length - a.length;
}

/**
 * Ids that are the same whenever the same listing is met for the first time at the same moment. Of a record: RFC 9562 §5.8 (version 8),
 * made of its source and external id alone, so that it survives the removal of the source.
 */
export function recordIdOf(kind: 'event' | 'venue', source: string, externalId: string): string {
  return format(digest(['record', kind, source, externalId]), 8);
}

/** Of an event or venue: RFC 9562 §5.7 (version 7); the moment leads, the listing decides the rest. */
export function publicIdOf(recordId: string, firstSeenAt: number): string {
  const bytes = digest(['public', recordId, String(firstSeenAt)]);
  bytes.writeUIntBE(firstSeenAt, 0, 6);
  return format(bytes, 7);
}

function digest(parts: readonly string[]): Buffer {
  return hash('sha256', JSON.stringify(parts), 'buffer').subarray(0, 16);
}

function format(bytes: Buffer, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = bytes.toString('hex');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}

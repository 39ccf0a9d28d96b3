/** Whether two listings of a place mean one place, a room and its house, or two. */

import type { Evidence, PlaceFacts } from './model.ts';
import { compareAddresses, readAddress } from './place-address.ts';
import { type PlaceName, placeName } from './place-name.ts';
import { distanceOf } from './place-point.ts';
import { KIND_WORDS } from './place-words.ts';

export interface PlaceRelation {
  /** `room_of`: the first is a room of the second; `has_room`: the second is a room of the first; `unknown`: nothing speaks clearly. */
  relation: 'same' | 'room_of' | 'has_room' | 'different' | 'unknown';
  /** 0–1: how much speaks for one site, as the same place or as house and room. Two rooms of one house are `different` with a high score. */
  score: number;
  evidence: readonly Evidence[];
}

/** Symmetric: with the two exchanged, `room_of` and `has_room` are exchanged and nothing else changes. */
export function comparePlaces(a: PlaceFacts, b: PlaceFacts): PlaceRelation {
  const [nameA, nameB] = [placeName(a.name), placeName(b.name)];
  if (nameA.kind === 'nowhere' || nameB.kind === 'nowhere') return answer('unknown', 0.3, []);
  const distance = distanceOf(a, b);
  const address = compareAddresses(readAddress(a.address), readAddress(b.address));
  const likeness = Math.max(
    similarity(nameA.house, nameB.house),
    similarity(nameA.words.join(' '), nameB.words.join(' ')),
    nameA.room === null && nameB.room !== null ? similarity(nameA.house, nameB.room) : 0,
    nameB.room === null && nameA.room !== null ? similarity(nameB.house, nameA.room) : 0,
  );
  const near = distance === null ? null : Math.max(0, distance.metres - distance.doubt);
  const nearness = near === null ? 0 : near < 200 ? 2 : near < 600 ? 0.5 : near < 1500 ? -1 : -4;
  const addressed = address === 'same' ? 2 : address === 'near' ? 0.5 : address === 'unknown' ? 0 : -1.5;
  const score = 1 / (1 + Math.exp(-(likeness * 10 - 7.5 + nearness + addressed)));
  const evidence: Evidence[] = [
    { kind: 'place', speaksFor: likeness > 0.7 ? 'same' : 'different', detail: `“${a.name}” and “${b.name}”` },
  ];
  if (score < 0.5) return answer('different', score, evidence);
  if (near === null && address !== 'same') return answer('unknown', Math.min(score, 0.7), evidence);
  return answer(roomRelation(nameA, nameB), score, evidence);
}

function roomRelation(a: PlaceName, b: PlaceName): PlaceRelation['relation'] {
  if (a.room === null && b.room === null) return 'same';
  if (a.room !== null && b.room !== null) return similarity(a.room, b.room) > 0.7 ? 'same' : 'different';
  if (a.words.join(' ') === b.words.join(' ')) return 'same';
  if (a.room !== null) return similarity(a.room, b.house) > similarity(a.house, b.house) ? 'same' : 'room_of';
  return similarity(b.room ?? '', a.house) > similarity(a.house, b.house) ? 'same' : 'has_room';
}

/** 0–1: the share of the words, by weight, that both have. */
function similarity(a: string, b: string): number {
  if (a === b || a.replaceAll(' ', '') === b.replaceAll(' ', '')) return 1;
  const [wordsA, wordsB] = [new Set(a.split(' ')), new Set(b.split(' '))];
  const weight = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + (KIND_WORDS.has(word) ? KIND_WEIGHT : 1), 0);
  const shared = weight([...wordsA].filter((word) => wordsB.has(word)));
  return (2 * shared) / (weight(wordsA) + weight(wordsB));
}

const answer = (relation: PlaceRelation['relation'], score: number, evidence: Evidence[]): PlaceRelation => ({
  relation,
  score,
  evidence,
});

const KIND_WEIGHT = 0.35;

/**
 * Queries as people type them, judged on New York: `npx node quality/queries.ts` prints each query whose first answer is not good.
 * The labels name listings and hold grades: 3 is what was meant, 2 is good, 1 is related.
 */

import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { loadDirectory } from '../src/search/directory/follow-directory.ts';
import type { Snapshot } from '../src/search/index.ts';
import { openSnapshot } from '../src/search/open-snapshot.ts';
import { createSnapshotBuilder } from '../src/search/snapshot/snapshot-builder.ts';
import { NYC } from '../test/nyc/load.ts';
import type { Figure } from './figure.ts';
import { NYC_NOW, openNewYork } from './pipeline.ts';

/** By query, then by listing. */
type Grades = ReadonlyMap<string, ReadonlyMap<string, number>>;

interface Judged {
  query: string;
  /** Grades of the first answers, in order. */
  first: number[];
  /** The best grades that there are, in order. */
  ideal: number[];
}

export interface Judgment {
  ask: Judged[];
  q: Judged[];
}

/** Null without the data. */
export async function judgeQueries(): Promise<Judgment | null> {
  if (NYC.missing) return null;
  const directory = await openNewYork();
  try {
    await directory.add('dashboard', NYC.events);
    await directory.run('dashboard', NYC_NOW);
    const { db } = directory.store;
    const { rows } = await sql<{ event: string; listing: string }>`
      select event_id as event, external_id as listing from record where kind = 'event' and event_id is not null`.execute(db);
    const listings = Map.groupBy(rows, ({ event }) => event);
    const snapshot = openSnapshot(createSnapshotBuilder(await loadDirectory(db, 'https://example.test')).build(NYC_NOW, NYC_NOW));
    const gradesOf = (grades: ReadonlyMap<string, number>, event: string): number =>
      Math.max(0, ...(listings.get(event) ?? []).map(({ listing }) => grades.get(listing) ?? 0));
    const judge = (answer: (query: string) => string[]): Judged[] =>
      [...readGrades()].map(([query, grades]) => {
        const ideal = [...listings.keys()].map((event) => gradesOf(grades, event)).filter((grade) => grade > 0);
        return {
          query,
          first: answer(query).map((event) => gradesOf(grades, event)),
          ideal: ideal.sort((a, b) => b - a).slice(0, LOOKED_AT),
        };
      });
    return { ask: judge((query) => askedIds(snapshot, query)), q: judge((query) => searchedIds(snapshot, query)) };
  } finally {
    await directory.dispose();
  }
}

export async function queryFigures(): Promise<Figure[]> {
  const judgment = await judgeQueries();
  if (!judgment) return [];
  const { ask, q } = judgment;
  const figure = (name: string, measure: (judged: readonly Judged[]) => string): Figure => ({
    name,
    value: `${measure(ask)} (q: ${measure(q)})`,
    command: 'npx node quality/queries.ts',
    note: `${ask.length} queries; every second one was held out while the rules were made: ${measure(heldOut(ask))}`,
  });
  return [
    figure('Queries whose first answer is good (`ask`)', (judged) => percent(goodShare(judged))),
    figure('nDCG@5 (`ask`)', (judged) => meanGain(judged).toFixed(3)),
  ];
}

/** The first answer has a grade of at least 2. */
function goodShare(judged: readonly Judged[]): number {
  return judged.filter(({ first }) => isGood(first)).length / judged.length;
}

const isGood = ([first = 0]: readonly number[]): boolean => first >= GOOD;

function meanGain(judged: readonly Judged[]): number {
  return judged.reduce((sum, { first, ideal }) => sum + gain(first) / gain(ideal), 0) / judged.length;
}

/** Discounted cumulative gain with 2^grade - 1. */
function gain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0);
}

function heldOut(judged: readonly Judged[]): Judged[] {
  return judged.filter((_, number) => number % 2 === 1);
}

function askedIds(snapshot: Snapshot, text: string): string[] {
  return idsOf(snapshot, snapshot.ask({ text, now: NYC_NOW, given: {}, limit: LOOKED_AT, offset: 0 }).items);
}

/** As `GET /events?q=`. */
function searchedIds(snapshot: Snapshot, text: string): string[] {
  const range = { from: NYC_NOW, to: NYC_NOW + 720 * 3_600_000 };
  return idsOf(snapshot, snapshot.events({ text, ...range, limit: LOOKED_AT, offset: 0 }).items);
}

function idsOf(snapshot: Snapshot, items: readonly number[]): string[] {
  const events = JSON.parse(snapshot.writeEvents(items, 'compact', '[', ']').toString()) as { id: string }[];
  return events.map(({ id }) => id);
}

/** As people type them. */
export const judgedTexts = (): string[] => [...readGrades().keys()];

function readGrades(): Grades {
  const lines = readFileSync(new URL('./labels/queries.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const rows = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t'));
  const byQuery = Map.groupBy(rows, ([query = '']) => query);
  return new Map(
    Array.from(byQuery, ([query, labels]) => [
      query,
      new Map(labels.map(([, listing = '', grade]): [string, number] => [listing, Number(grade)])),
    ]),
  );
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
const LOOKED_AT = 5;
const GOOD = 2;

if (import.meta.main) {
  const judgment = await judgeQueries();
  for (const { query, first } of judgment?.ask ?? []) if (!isGood(first)) console.log(`${query}: ${first.join(' ')}`);
  for (const { name, value, note } of await queryFigures()) console.log(`${name}: ${value}; ${note}`);
}

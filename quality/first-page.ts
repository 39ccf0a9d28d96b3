/**
 * The first page of the default order with its reasons, as tables for `docs/scoring.md`: `npx node quality/first-page.ts`. The demo city
 * has titles. Of New York only kinds are printed, because its records are no part of the project.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoBundle } from '../src/demo/index.ts';
import { importBundle, readScoreFacts } from '../src/ingest/index.ts';
import { type DISCOVERY_WEIGHTS, discoveryScore } from '../src/ranking/index.ts';
import { type Category, readCity } from '../src/records/index.ts';
import { openStore, type Store } from '../src/store/index.ts';
import { createCityTime } from '../src/values/city-time.ts';
import { DAY_MS } from '../src/values/duration.ts';
import { NYC_FACTS } from './nyc-facts.ts';
import { type RankedEvent, rankDays, rankedEvents } from './ranked-days.ts';

export const FIRST_PAGE = { demoNow: Date.parse('2026-06-16T16:00:00Z'), day: '2026-06-20', size: 20 } as const;

/** Rows of the demo city. */
export async function demoRows(store: Store): Promise<string[]> {
  const now = FIRST_PAGE.demoNow;
  await importBundle({ store, bundle: demoBundle({ now }), now: () => now });
  const page = (await rankedEvents(store.db, now)).slice(0, FIRST_PAGE.size);
  return rowsOf(store, page, now, ({ title }) => title.replaceAll('|', '/'));
}

async function newYorkRows(): Promise<string[]> {
  let rows: string[] = [];
  await rankDays([FIRST_PAGE.day], async ({ day, now, events, store }) => {
    if (day !== FIRST_PAGE.day) return;
    rows = await rowsOf(store, events.slice(0, FIRST_PAGE.size), now, kindOf);
  });
  return rows;
}

const kindOf = ({ category, isFree }: RankedEvent): string => `${isFree ? 'free ' : ''}${NAMES[category] ?? `${category} event`}`;

async function rowsOf(
  store: Store,
  page: readonly RankedEvent[],
  now: number,
  nameOf: (event: RankedEvent) => string,
): Promise<string[]> {
  const facts = await readScoreFacts(
    store.db,
    page.map(({ id }) => id),
  );
  const cityTime = createCityTime((await readCity(store.db))?.timezone ?? 'UTC');
  const today = Date.parse(cityTime.day(now));
  return page.map((event, index) => {
    const known = facts.get(event.id);
    const signals = known ? discoveryScore(known, now).signals : [];
    const points = (name: keyof typeof DISCOVERY_WEIGHTS): string =>
      (signals.find(({ signal }) => signal === name)?.points ?? 0).toFixed(1);
    const days = Math.round((Date.parse(cityTime.day(event.startsAt)) - today) / DAY_MS);
    const reasons = signals
      .filter(({ signal, points: got }) => REASONS.includes(signal) && got > 0)
      .map(({ sentence }) => sentence)
      .join(' ');
    const cells = [index + 1, event.score, nameOf(event), days, points('venue'), points('fame'), points('pick'), reasons];
    return `| ${cells.join(' | ')} |`;
  });
}

const REASONS: readonly string[] = ['venue', 'fame', 'best_of_day', 'pick'];
const NAMES: Partial<Record<Category, string>> = {
  concert: 'concert',
  theater: 'play or musical',
  sports: 'game',
  festival: 'festival',
};
const HEAD = '|  | score | event | in days | `venue` | `fame` | `pick` | reasons |\n|---|---|---|---|---|---|---|---|';

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-first-page-'));
  const store = await openStore({ dataDir: folder });
  console.log(`demo city\n\n${HEAD}\n${(await demoRows(store)).join('\n')}`);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  if (!NYC_FACTS.missing) console.log(`\nNew York, ${FIRST_PAGE.day}\n\n${HEAD}\n${(await newYorkRows()).join('\n')}`);
}

/** Seven published days of one source, one after another, through the code that serves: what each does to the directory. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unlistSilent } from '../src/ingest/index.ts';
import { listHead, type Store } from '../src/store/index.ts';
import { NYC } from '../test/nyc/load.ts';
import { fieldFigures } from './fields.ts';
import type { Figure } from './figure.ts';
import { NYC_FACTS } from './nyc-facts.ts';
import { NYC_NOW, openNewYork } from './pipeline.ts';
import { type AskedPair, openQuestions, questionFigures } from './questions.ts';
import { type Faults, findFaults, findTwins, readDirectory } from './replay-faults.ts';

export interface ReplayedDay {
  day: string;
  listings: number;
  created: number;
  changed: number;
  merged: number;
  /** New listings that took over an event whose listing had gone. */
  inherited: number;
  cancelled: number;
  vanished: number;
  questions: number;
  /** Why nothing was written; null when the run was not held. */
  held: string | null;
  /** Numbers of the change list that the same answer appended when it was read again. */
  changesOfRepeat: number;
  faults: Faults;
  /** At the desk. */
  open: AskedPair[];
}

/** Begins with the main set of 16 June. Every day's clock is the moment at which its file was made. `atEnd` sees the last day. */
export async function replayDays(
  days: readonly string[] = DAYS,
  atEnd?: (store: Store) => Promise<void>,
): Promise<ReplayedDay[]> {
  const directory = await openNewYork();
  try {
    const { store, folder } = directory;
    const file = join(folder, 'answer.json');
    writeFileSync(file, readFileSync(NYC.events.file));
    await directory.add('dashboard', { ...NYC.events, file });
    await directory.run('dashboard', NYC_NOW);
    const replayed: ReplayedDay[] = [];
    for (const day of days) {
      const text = gunzipSync(readFileSync(NYC_FACTS.day(day))).toString('utf8');
      const { generatedAt, events } = JSON.parse(text) as { generatedAt: string; events: unknown[] };
      const now = Date.parse(generatedAt);
      writeFileSync(file, text);
      await unlistSilent({ store, now: () => now });
      const before = await readDirectory(store.db);
      const report = await directory.run('dashboard', now);
      const after = await readDirectory(store.db);
      const head = await listHead(store.db, 'change');
      await directory.run('dashboard', now);
      const changesOfRepeat = (await listHead(store.db, 'change')) - head;
      if (changesOfRepeat > 0) throw new Error(`${day} read again has changed the directory: ${changesOfRepeat} changes`);
      const faults = { ...findFaults(before, after, now), twins: findTwins(after, now) };
      const { difference } = report;
      replayed.push({
        day,
        listings: events.length,
        created: difference.created.length,
        changed: difference.changed.length,
        merged: difference.merged.length,
        inherited: countHeirs(before, after),
        cancelled: difference.cancelled.length,
        vanished: difference.vanished.length,
        questions: report.questions,
        held: report.held,
        changesOfRepeat,
        faults,
        open: await openQuestions(store, now),
      });
    }
    await atEnd?.(store);
    return replayed;
  } finally {
    await directory.dispose();
  }
}

/** Listings that are new, and an event that was there. */
function countHeirs(before: Awaited<ReturnType<typeof readDirectory>>, after: Awaited<ReturnType<typeof readDirectory>>): number {
  const left = new Set(
    [...before.records.values()].flatMap(({ id, eventId }) => (after.records.get(id)?.isGone ? [eventId] : [])),
  );
  return [...after.records.values()].filter(({ id, eventId, isGone }) => !isGone && !before.records.has(id) && left.has(eventId))
    .length;
}

export async function replayFigures(): Promise<Figure[]> {
  if (NYC_FACTS.missing) return [];
  const fields: Figure[] = [];
  const days = await replayDays(DAYS, async ({ db }) => void fields.push(...(await fieldFigures(db))));
  const figure = (name: string, value: string, note = ''): Figure => ({ name, value, command: 'npm run quality', note });
  const each = (name: keyof ReplayedDay) => days.map((day) => String(day[name])).join(', ');
  const sum = (count: (faults: Faults) => number) => String(days.reduce((total, { faults }) => total + count(faults), 0));
  return [
    figure('Listings, day by day', each('listings'), `${days[0]?.day} to ${days.at(-1)?.day}, after the main set of 16 June`),
    figure('Events created', each('created')),
    figure('Events changed', each('changed')),
    figure('Events merged into another', each('merged')),
    figure('Events that continue under a new id', each('inherited')),
    figure('Events cancelled', each('cancelled')),
    figure('Events no longer listed', each('vanished'), 'unconfirmed, and out of the lists after 3 days'),
    figure('New review candidates', each('questions')),
    figure('Days on hold', String(days.filter(({ held }) => held !== null).length)),
    figure('Changes when the same day is read again', each('changesOfRepeat')),
    figure(
      'Events published twice: two, though identity calls their listings the same',
      sum(({ twins }) => twins.length),
    ),
    figure(
      'Listings of the same night whose event took another id without a merger',
      sum(({ renamed }) => renamed.length),
    ),
    figure(
      'Upcoming events lost without a reason',
      sum(({ lost }) => lost.length),
    ),
    ...questionFigures(days.map(({ open }) => open)),
    ...fields,
  ];
}

const DAYS = ['18', '19', '20', '21', '22', '23', '24'].map((day) => `2026-06-${day}`);

/**
 * What the free text of a person costs against the exact words of `q`: the judged queries, sent to a service with New York, each as nobody
 * sent it before. `npx node quality/ask-cost.ts` prints it.
 */

import { join } from 'node:path';
import { createKeys } from '../bench/keys.ts';
import { get, measure, median, settled } from '../bench/load.ts';
import { serve } from '../bench/service.ts';
import { NYC } from '../test/nyc/load.ts';
import type { Figure } from './figure.ts';
import { NYC_NOW, openNewYork } from './pipeline.ts';
import { judgedTexts } from './queries.ts';

export async function askCostFigures(): Promise<Figure[]> {
  if (NYC.missing) return [];
  const directory = await openNewYork();
  try {
    await directory.add('dashboard', NYC.events);
    await directory.run('dashboard', NYC_NOW);
    // A service beside this process would share its database engine.
    await directory.store.close();
    const { q, ask, ratio } = await measureCost(join(directory.folder, 'data'));
    return [
      {
        name: 'CPU of a request with `ask` against one with `q`',
        value: `${ratio.toFixed(2)} × (${Math.round(q)} → ${Math.round(ask)} µs)`,
        command: 'npx node quality/ask-cost.ts',
        note: 'the judged queries, each as nobody sent it before; medians of rounds in turns',
      },
    ];
  } finally {
    await directory.dispose();
  }
}

/** In microseconds of the service. */
async function measureCost(dataDir: string): Promise<{ q: number; ask: number; ratio: number }> {
  const env = { MARQUEE_DATA_DIR: dataDir, MARQUEE_NOW: new Date(NYC_NOW).toISOString() };
  const keys = await createKeys(dataDir, KEYS);
  const service = await serve(env);
  try {
    await settled(service);
    const texts = judgedTexts();
    const send = (parameter: 'q' | 'ask', round: number) =>
      measure(
        service,
        Array.from({ length: VARIANTS }, (_, n) => round * VARIANTS + n).flatMap((variant) =>
          texts.map((text) => get(`/api/v1/events?${parameter}=${encodeURIComponent(inNewCase(text, variant))}`, keys.next())),
        ),
        RATE,
      );
    const costs: { q: number; ask: number }[] = [];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1)
      costs.push({ q: (await send('q', round)) * 1000, ask: (await send('ask', round)) * 1000 });
    const counted = costs.slice(WARM_UP_ROUNDS);
    return {
      q: median(counted.map(({ q }) => q)),
      ask: median(counted.map(({ ask }) => ask)),
      ratio: median(counted.map(({ q, ask }) => ask / q)),
    };
  } finally {
    await service.stop();
  }
}

/** The same words in letters of another case for each `variant`: no answer is held for them. */
const inNewCase = (text: string, variant: number): string =>
  Array.from(text, (letter, place) => ((variant >> (place % CASE_BITS)) & 1 ? letter.toUpperCase() : letter)).join('');

const KEYS = 200;
/** Requests a second. */
const RATE = 1000;
const WARM_UP_ROUNDS = 4;
const ROUNDS = 9;
/** Of each query in one round. */
const VARIANTS = 4;
const CASE_BITS = 6;

if (import.meta.main) for (const { name, value, note } of await askCostFigures()) console.log(`${name}: ${value}; ${note}`);

/** Thirty flipped bytes in the table of events, under a running service: nobody misses an answer, and everybody who must know is told. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { flipBytes } from '../support/database/damage.ts';
import { freePort } from '../support/network/free-port.ts';
import { marquee } from '../support/rigs/service.ts';
import type { Context } from './context.ts';
import { EMBEDDED, type Experiment, openVerdict } from './experiment.ts';

export const damagedDatabase: Experiment = {
  name: 'damaged database',
  engines: EMBEDDED,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    const metricsPort = await freePort();
    const service = await context.start({ env: { MARQUEE_METRICS_PORT: String(metricsPort) } });
    const [key] = await context.makeKeys(1);
    const events = async () => (await fetch(`${service.url}/api/v1/events`, { headers: { 'X-API-Key': key?.key ?? '' } })).status;
    const read = async (url: string) => (await fetch(url)).text();
    const isTold = async () => (await read(`${service.url}/status.json`)).includes('"name":"database","status":"damaged"');
    verdict.require(!(await isTold()), 'a whole database is called damaged');
    const { rows } = await sql<{ path: string; id: string }>`
      select pg_relation_filepath('event') as path, id from event limit 1`.execute(context.connect().db);
    const { path = '', id: event = '' } = rows[0] ?? {};
    flipBytes(join(context.folder, 'database', path), FLIPPED_BYTES);
    const begun = performance.now();
    let failed = 0;
    while (!(await isTold()) && performance.now() - begun < MAX_MS) {
      failed += Number((await events()) !== 200);
      await pause(LOOK_EVERY_MS);
    }
    const seconds = ((performance.now() - begun) / 1000).toFixed(0);
    verdict.require(await isTold(), `/status does not tell of damage after ${seconds} s`);
    verdict.require(failed === 0, `${failed} requests were not answered 200`);
    const metrics = await read(`http://127.0.0.1:${metricsPort}/metrics`);
    verdict.require(/^marquee_database_damaged 1$/m.test(metrics), 'the metric does not tell of damage');
    // A query that meets the damage before the look does names the table's file.
    verdict.require(
      service.printed().includes('table event') || service.printed().includes(path),
      'the log does not name the table',
    );
    await service.stop();
    // A start that has it serves, and finds the damage later.
    rmSync(join(context.folder, 'search.snapshot'));
    // What the engine had in memory it may have written back; elsewhere, so that no byte is flipped back.
    flipBytes(join(context.folder, 'database', path), FLIPPED_BYTES + 1);
    const sentences = await runCommands(context, event, verdict.require);
    return {
      figures: `told after ${seconds} s; ${sentences} commands end with one sentence`,
      failures: verdict.failures,
    };
  },
};

/** Commands that need the table, and a start. Gives how many there are. */
async function runCommands(context: Context, event: string, require: Require): Promise<number> {
  const commands = [
    ['doctor', '--deep'],
    ['backup', '--now', join(context.folder, 'backup.tar')],
    ['correct', 'event', event, 'title', 'Another title'],
    // An import of the built-in city.
    ['demo', 'load'],
    ['serve'],
  ];
  for (const words of commands) {
    const { status, stderr } = await marquee(words, { MARQUEE_DATA_DIR: context.folder, PORT: String(await freePort()) });
    const isSentence = SENTENCE.test(stderr.trim().split('\n').at(-1) ?? '');
    require(status === 1 && isSentence, `${words.join(' ')} ended with ${status} and ${stderr}`);
    require(!/^\s+at /m.test(stderr), `${words.join(' ')} printed a stack`);
  }
  return commands.length;
}

type Require = (holds: boolean, failure: string) => void;
const FLIPPED_BYTES = 30;
const SENTENCE = /^The database in .+ is damaged: .+\.$/;
const MAX_MS = 180_000;
const LOOK_EVERY_MS = 1_000;

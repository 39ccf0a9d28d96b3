/**
 * Experiments against the started service, from outside: `npm run faults`. `-- --short` runs them small, `-- --only NAME,NAME`
 * runs some, `-- --kind KIND` those of a kind, `-- --engine ENGINE` one engine, `-- --write` puts the figures into docs/reliability.md.
 * Ends with 1 when one fails.
 */

import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { beginRun, runFolder } from '../support/database/store.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { loadDemo, openContext } from './context.ts';
import { BOTH, type Engine, type Experiment, type Outcome } from './experiment.ts';
import { EXPERIMENTS } from './experiments.ts';
import { formatTable, type Row, writeMeasured } from './report.ts';

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    kind: { type: 'string' },
    engine: { type: 'string' },
  },
});

const run = beginRun();
const clusterFolder = join(tmpdir(), `marquee-faults-${process.pid}`);
let cluster: Cluster | null = null;
const rows: Row[] = [];
try {
  const planned = plan();
  if (planned.length === 0)
    throw new Error(
      `there is no such experiment: wanted one of ${Object.values(EXPERIMENTS)
        .flat()
        .map(({ name }) => name)
        .join(', ')}`,
    );
  for (const { experiment, engine } of planned) {
    if (engine === 'postgres' && !cluster) {
      cluster = await openCluster(clusterFolder);
      await loadDemo(await cluster.createDatabase(), runFolder());
    }
    const begun = performance.now();
    const outcome = await attempt(experiment, engine);
    rows.push({ name: experiment.name, engine, form: options.short ? 'short' : 'long', ...outcome });
    const verdict = outcome.failures.length === 0 ? 'ok  ' : 'FAIL';
    console.error(
      `${verdict} ${experiment.name}, ${engine} (${((performance.now() - begun) / 1_000).toFixed(0)} s): ${outcome.figures}`,
    );
    for (const failure of outcome.failures) console.error(`     ${failure}`);
  }
} finally {
  await cluster?.close().catch(() => rmSync(clusterFolder, { recursive: true, force: true }));
  await run.end();
}
console.log(formatTable(rows));
if (options.write) writeMeasured(rows);
process.exitCode = rows.every(({ failures }) => failures.length === 0) ? 0 : 1;

function plan(): { experiment: Experiment; engine: Engine }[] {
  const wanted = options.only?.split(',');
  const { kind } = options;
  const ofKind = Object.entries(EXPERIMENTS).flatMap(([name, experiments]) => (name === (kind ?? name) ? experiments : []));
  const named = ofKind.filter(({ name }) => wanted?.includes(name) ?? true);
  return BOTH.filter((engine) => options.engine === undefined || engine === options.engine).flatMap((engine) =>
    named
      // Whoever names an experiment wants it, however short.
      .filter(({ engines, shortEngines }) =>
        (options.short && options.only === undefined ? shortEngines : engines).includes(engine),
      )
      .map((experiment) => ({ experiment, engine })),
  );
}

async function attempt(experiment: Experiment, engine: Engine): Promise<Outcome> {
  const context = await openContext({ engine, short: options.short, cluster });
  try {
    return await experiment.run(context);
  } catch (error) {
    return {
      figures: 'broken off',
      failures: [
        String(error)
          .replace(/\s*\n\s*/g, ' ')
          .trim(),
      ],
    };
  } finally {
    await context.close();
  }
}

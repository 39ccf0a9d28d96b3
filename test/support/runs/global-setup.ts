import { buildPages } from '../../../src/web/index.ts';
import { beginRun, templateFolder } from '../database/store.ts';

/** Once per run: the built pages, the data folder that tests copy, and no silent gap in continuous integration. Gives what ends the run. */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env.CI && !process.env.MARQUEE_TEST_DATABASE_URL) {
    throw new Error('MARQUEE_TEST_DATABASE_URL must name a PostgreSQL server when CI is set: its tests would be skipped.');
  }
  await Promise.all([buildPages(), templateFolder()]);
  return beginRun().end;
}

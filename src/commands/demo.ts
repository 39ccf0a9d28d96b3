/** `demo load`: the built-in city, and ready keys to try it with. */

import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { createAccounts, TIER_NAMES, type TierName } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { DEMO_CITY, demoBundle } from '../demo/index.ts';
import { importBundle } from '../ingest/index.ts';
import { readCity } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { showProgress, summarize } from './print-run.ts';

export function demoCommand(context: Context): Command {
  const demo = new Command('demo').description('the built-in demo city');
  demo
    .command('load')
    .description(`loads ${DEMO_CITY.name}; load it again later to move its events to the current dates`)
    .action(() =>
      context.withStore(async (store) => {
        const city = await readCity(store.db);
        if (city && city.slug !== DEMO_CITY.slug) {
          throw new ExpectedError(
            'refused',
            `The directory already holds ${city.name}. Load the demo city into a data folder of its own.`,
          );
        }
        context.print(await loadDemo(context, store));
      }),
    );
  return demo;
}

/** Loads the demo city when it has never been loaded to the end; returns three keys that work, one per tier. */
export async function ensureDemo(context: Context, store: Store): Promise<Record<TierName, string>> {
  const city = await readCity(store.db);
  // The keys are made last: without them the loading may have been stopped halfway. Loaded again, it changes what is missing.
  const isWhole = city && (city.slug !== DEMO_CITY.slug || (await readKept(keysFile(context))) !== null);
  if (!isWhole) context.remark(await loadDemo(context, store));
  return readyKeys(context, store);
}

async function loadDemo(context: Context, store: Store): Promise<string> {
  const now = context.config.clocks.directory;
  const progress = showProgress(context, DEMO_CITY.name);
  const report = await importBundle({
    store,
    bundle: demoBundle({ now: now() }),
    now,
    onProgress: ({ lines }) => progress.update(lines / DEMO_LINES, lines),
  }).finally(progress.end);
  return `${DEMO_CITY.name}: ${summarize(report)}`;
}

/** The keys kept in the data folder; made anew when the file is missing or its keys no longer count. */
async function readyKeys(context: Context, store: Store): Promise<Record<TierName, string>> {
  const file = keysFile(context);
  const accounts = createAccounts({ db: store.db, now: context.config.clocks.directory });
  // First the file: whoever keeps keys in it has made them before.
  const kept = await readKept(file);
  const listed = await accounts.listKeys(DEMO_EMAIL);
  const alive = new Set(listed.ok ? listed.keys.filter(({ state }) => state === 'active').map(({ id }) => id) : []);
  const counts = (key: string | undefined) => key !== undefined && alive.has(key.slice(ID_START, ID_END));
  if (kept && TIER_NAMES.every((tier) => counts(kept[tier]))) return kept as Record<TierName, string>;

  if (!listed.ok) await accounts.createAccount({ email: DEMO_EMAIL, tier: 'enterprise' });
  if (kept) await rm(file, { force: true });
  const made: Partial<Record<TierName, string>> = {};
  for (const tier of TIER_NAMES) {
    const created = await accounts.createKey({ email: DEMO_EMAIL, name: `demo ${tier}`, tier });
    if (!created.ok) throw new Error(created.detail);
    made[tier] = created.key;
  }
  if (await keepFirst(file, `${JSON.stringify(made, null, 2)}\n`)) return made as Record<TierName, string>;
  // Another service began at the same moment and was faster: its keys are the ones.
  for (const key of Object.values(made)) await accounts.revokeKey(key.slice(ID_START, ID_END));
  return (await readKept(file)) as Record<TierName, string>;
}

/** Writes the file whole, unless there is one: then false. */
async function keepFirst(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, content, { mode: OWNER_ONLY });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

const keysFile = ({ config }: Context): string => join(config.dataDir, KEYS_FILE);

async function readKept(file: string): Promise<Partial<Record<TierName, string>> | null> {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) ?? {}) as Partial<Record<TierName, string>>;
  } catch (error) {
    // One that cannot be read holds no keys.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : {};
  }
}

const DEMO_EMAIL = 'demo@marquee.example';
/** Venues and events: what the progress bar counts to. */
const DEMO_LINES = 1_650;
const KEYS_FILE = 'demo-keys.json';
const OWNER_ONLY = 0o600;
/** Where the public id stands in `mq_live_` + 12 letters. */
const ID_START = 8;
const ID_END = 20;

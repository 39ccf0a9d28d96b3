/** `migrate`: brings the database to the form of this version, or says what that would do. */

import { Command } from 'commander';
import type { Context } from '../context.ts';
import {
  describeMigration,
  describePending,
  hasEmbedded,
  isOlder,
  type Migration,
  pendingMigrations,
  readMigrations,
} from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { printTable } from './print-table.ts';

export function migrateCommand(context: Context): Command {
  return new Command('migrate')
    .description('brings the database to the form of this version; start and serve do this automatically')
    .option('--check', 'says what would be done, and changes nothing')
    .action(async ({ check }: { check?: true }) => {
      const pending = await loadPending(context);
      if (pending.length === 0) return context.print(`The database is up to date (${readMigrations().length} migrations).`);
      printTable(
        context,
        ['migration', 'what it is about'],
        pending.map((migration) => [migration.name, describeMigration(migration)]),
      );
      if (check) throw new ExpectedError('migrations_pending', describeUpgrade(pending));
      // Opening it migrates it.
      await context.withStore(async () => context.print('The database is up to date now.'), { onOlder: 'migrate' });
    });
}

/** Rejects with a `StoreError` where the database is of a newer version, or has another past. */
async function loadPending({ config, withStore }: Context): Promise<Migration[]> {
  if (config.databaseUrl === null && !hasEmbedded(config.dataDir)) return readMigrations();
  return withStore(({ db }) => pendingMigrations(db), { onOlder: 'keep' });
}

function describeUpgrade(pending: readonly Migration[]): string {
  const count = describePending(pending);
  return isOlder(pending)
    ? `The database is of an older version: ${count}. Back up the database with that version. The first start of this version applies them.`
    : `There is no database of Marquee yet: ${count}. The first start applies them.`;
}

/** `migrate`: brings the database to the form of this version, or says what that would do. */

import { Command } from 'commander';
import type { Context } from '../context.ts';
import { describeMigration, hasEmbedded, type Migration, openStore, pendingMigrations, readMigrations } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { printTable } from './printing/print-table.ts';

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
      if (check) throw new ExpectedError('migrations_pending', describePending(pending));
      // Opening it migrates it.
      await context.withStore(async () => context.print('The database is up to date now.'));
    });
}

/** Rejects with a `StoreError` where the database is of a newer version, or has another past. */
async function loadPending({ config, log }: Context): Promise<Migration[]> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl === null && !hasEmbedded(dataDir)) return readMigrations();
  const store = await openStore({ dataDir, log, keepSchema: true, poolSize: 1, ...(databaseUrl !== null && { databaseUrl }) });
  try {
    return await pendingMigrations(store.db);
  } finally {
    await store.close();
  }
}

function describePending(pending: readonly Migration[]): string {
  const isNew = pending.length === readMigrations().length;
  const count = `${pending.length} ${pending.length === 1 ? 'migration is' : 'migrations are'} pending`;
  return isNew
    ? `There is no database of Marquee yet: ${count}. The first start applies them.`
    : `The database is of an older version: ${count}. Back up the database with that version. The first start of this version applies them.`;
}

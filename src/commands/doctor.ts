/** `doctor`: the settings in force, whether what the service needs is there, and what the tables take. */

import { Command } from 'commander';
import { countAccounts, countServingProcesses, inspectRedis } from '../accounts/index.ts';
import { SETTINGS } from '../config.ts';
import type { Context } from '../context.ts';
import type { MapTiles } from '../map-tiles.ts';
import { type City, countRecords, readCity } from '../records/index.ts';
import type { RedisPlace } from '../redis-place.ts';
import { readSizes } from '../retention/index.ts';
import {
  describeDatabase,
  describePending,
  hasEmbedded,
  isOlder,
  type Migration,
  pendingMigrations,
  readMigrations,
  type Store,
  StoreError,
} from '../store/index.ts';
import { describeDatabaseServer } from './database-server.ts';
import {
  describeBackups,
  describeCertificate,
  describeDiskRoom,
  describeFileLimit,
  describeFiles,
  describeMail,
  findDamage,
} from './doctor-checks.ts';
import { printTable } from './print-table.ts';

export function doctorCommand(context: Context): Command {
  return new Command('doctor')
    .description('prints the settings and checks whether the service can run')
    .option('--deep', 'reads every page of every table and index, too, to find damage')
    .action(async ({ deep = false }: { deep?: boolean }) => {
      printTable(
        context,
        ['setting', 'value', 'meaning'],
        context.config.settings.map(({ name, value }) => [name, value, meaningOf(name)]),
      );
      context.print('');
      context.print(`Node          ${process.versions.node}`);
      const { databaseUrl, dataDir } = context.config;
      // Opening a store would make one.
      const look: Look = { isDeep: deep, isDone: false };
      if (databaseUrl === null && !hasEmbedded(dataDir)) return printChecks(context, null, look);
      await context
        .withStore((store) => printChecks(context, store, look), { onOlder: 'keep' })
        .catch(async (error) => {
          // Damage where opening reads: pages can be read all the same.
          if (deep && !look.isDone && databaseUrl === null) printLines(context, await describeFiles(dataDir));
          throw error;
        });
    });
}

/** For damage. */
interface Look {
  readonly isDeep: boolean;
  isDone: boolean;
}

/**
 * `store`: as it is, whatever its version; null: there is none yet. What cannot be read because of damage is left out, and the damage is
 * told at the end.
 */
async function printChecks(context: Context, store: Store | null, look: Look): Promise<void> {
  const { tiles, backups, dataDir, publicUrl, clocks, databaseUrl, redis } = context.config;
  const pending = store ? await pendingMigrations(store.db) : readMigrations();
  const ask = createQuestions(store, pending);
  const print = (name: string, said: string | number) => printLines(context, [[name, said]]);
  const notChecked = `not checked; ${isOlder(pending) ? 'the database is of an older version' : 'there is no database of Marquee yet'}`;
  print('store', store ? await describeStore(store) : 'none yet; the first start creates it');
  print('schema', describeSchema(pending));
  for (const [name, said] of (await ask((found) => describeDatabaseServer(found, databaseUrl))) ?? []) print(name, said);
  const city = await ask(({ db }) => readCity(db));
  print('city', city ? `${city.name} (${city.timezone})` : 'none yet; run marquee import or marquee demo load');
  print('limits', (await ask((found) => describeLimits(redis, found))) ?? notChecked);
  print('disk', describeDiskRoom(dataDir));
  print('open files', describeFileLimit());
  print('certificate', await describeCertificate(publicUrl));
  print('mail server', await describeMail(context.config));
  print('backups', backups ? ((await ask(({ db }) => describeBackups(backups, db, clocks.limits()))) ?? notChecked) : NO_BACKUPS);
  print('map tiles', tiles ? describeTiles(tiles, city) : 'none; neighborhoods are the base of the map');
  const counts = { ...(await ask(({ db }) => countRecords(db))), ...(await ask(({ db }) => countAccounts(db))) };
  for (const [table, count] of Object.entries(counts)) print(`${table}s`, count);
  if (store && look.isDeep) await printDamage(context, store, look);
  printSizes(context, await ask(({ db }) => readSizes(db)));
  const sign = store?.damage.last();
  if (store && sign) throw new StoreError('database_damaged', { database: describeDatabase(store.address), reason: sign.reason });
}

async function printDamage(context: Context, store: Store, look: Look): Promise<void> {
  const { lines, faults } = await findDamage(store);
  printLines(context, lines);
  look.isDone = true;
  const [first] = faults;
  if (first !== undefined) store.damage.note(faults.length === 1 ? first : `${first}, and ${faults.length - 1} more`);
}

function printLines(context: Context, lines: readonly [string, string | number][]): void {
  for (const [name, said] of lines) context.print(`${name.padEnd(14)}${said}`);
}

function printSizes(context: Context, sizes: Awaited<ReturnType<typeof readSizes>> | null): void {
  if (!sizes) return;
  context.print('');
  printTable(
    context,
    ['table', 'size', 'rows', 'oldest', 'kept'],
    sizes.map(({ name, bytes, rows, oldest, kept }) => [
      ...[name, `${(bytes / 1_048_576).toFixed(1)} MB`, `~${Math.round(rows)}`, oldest ?? '', kept],
    ]),
  );
}

/** An answer is null where there is no store, one whose tables this version does not know, or one that is damaged there. */
function createQuestions(store: Store | null, pending: readonly Migration[]) {
  return async <T>(question: (store: Store) => Promise<T>): Promise<T | null> => {
    if (!store) return null;
    try {
      return await question(store);
    } catch (error) {
      if (error instanceof StoreError && error.code === 'database_damaged') return null;
      if (pending.length > 0 && UNKNOWN_NAME.test((error as { code?: string }).code ?? '')) return null;
      throw error;
    }
  };
}

async function describeStore({ kind, ping }: Store): Promise<string> {
  const begun = performance.now();
  await ping();
  return `${kind}, responds in ${(performance.now() - begun).toFixed(1)} ms`;
}

function describeSchema(pending: readonly Migration[]): string {
  if (pending.length === 0) return `up to date (${readMigrations().length} migrations)`;
  if (!isOlder(pending)) return 'none yet; the first start creates it';
  return `OF AN OLDER VERSION: ${describePending(pending)}; marquee migrate --check lists them`;
}

/** Whether processes share the limits, and which of them do not. */
async function describeLimits(redis: RedisPlace | null, { db }: Pick<Store, 'db'>): Promise<string> {
  const { all, counting } = await countServingProcesses(db);
  const serving = `${all} ${all === 1 ? 'process answers' : 'processes answer'} requests now`;
  if (!redis) return `each process counts by itself; for several processes set REDIS_URL; ${serving}`;
  const facts = await inspectRedis(redis);
  if (!facts) return `REDIS_URL DOES NOT ANSWER, or takes no writes; each process limits requests to its share; ${serving}`;
  const faults = facts.faults.map((fault) => `; ${fault}`).join('');
  const apart = counting > 0 ? `; ${counting} of them WITHOUT REDIS_URL` : '';
  return `shared by ${facts.name}, answers in ${facts.ms.toFixed(1)} ms, ${facts.evictionPolicy}${faults}; ${serving}${apart}`;
}

/** Whether the operator's file shows the city. */
function describeTiles({ file, bytes, header }: MapTiles, city: City | null): string {
  const { minZoom, maxZoom, west, south, east, north } = header;
  const isInside = city && city.longitude >= west && city.longitude <= east && city.latitude >= south && city.latitude <= north;
  const place = city ? (isInside ? `shows ${city.name}` : `DOES NOT show ${city.name}; use a file of this area`) : 'no city yet';
  return `${file}, ${(bytes / 1_048_576).toFixed(1)} MB, zoom ${minZoom} to ${maxZoom}, ${place}`;
}

function meaningOf(name: string): string {
  return SETTINGS.find((each) => each.name === name)?.meaning ?? '';
}

const NO_BACKUPS = 'not scheduled; set MARQUEE_BACKUP_URL';
/** A table, column, type or function (PostgreSQL documentation, appendix A). */
const UNKNOWN_NAME = /^42(P01|703|704|883)$/;

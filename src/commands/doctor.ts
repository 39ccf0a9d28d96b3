/** `doctor`: the settings in force, whether what the service needs is there, and what the tables take. */

import { Command } from 'commander';
import { countAccounts, countServingProcesses, inspectRedis } from '../accounts/index.ts';
import { type City, countRecords, readCity } from '../catalog/index.ts';
import { SETTINGS } from '../config.ts';
import type { Context } from '../context.ts';
import type { MapTiles } from '../map-tiles.ts';
import type { RedisPlace } from '../redis-place.ts';
import { readSizes } from '../retention/index.ts';
import type { Store } from '../store/index.ts';
import { describeBackups } from './checks/backup-age.ts';
import { describeDatabaseServer } from './checks/database-server.ts';
import { describeDiskRoom } from './checks/disk-room.ts';
import { describeFileLimit } from './checks/file-limit.ts';
import { describeMail } from './checks/mail-server.ts';
import { describeCertificate } from './checks/public-certificate.ts';
import { printTable } from './printing/print-table.ts';

export function doctorCommand(context: Context): Command {
  return new Command('doctor').description('prints the settings and checks whether the service can run').action(async () => {
    printTable(
      context,
      ['setting', 'value', 'meaning'],
      context.config.settings.map(({ name, value }) => [name, value, meaningOf(name)]),
    );
    context.print('');
    context.print(`Node          ${process.versions.node}`);
    const { tiles, backups, dataDir, publicUrl, clocks } = context.config;
    await context.withStore(async (store) => {
      const begun = performance.now();
      await store.ping();
      context.print(`store         ${store.kind}, responds in ${(performance.now() - begun).toFixed(1)} ms`);
      for (const [name, said] of await describeDatabaseServer(store, context.config.databaseUrl))
        context.print(name.padEnd(14) + said);
      const city = await readCity(store.db);
      context.print(
        `city          ${city ? `${city.name} (${city.timezone})` : 'none yet; run marquee import or marquee demo load'}`,
      );
      context.print(`limits        ${await describeLimits(context.config.redis, store)}`);
      // The folder is there now: opening the store makes it.
      context.print(`disk          ${describeDiskRoom(dataDir)}`);
      context.print(`open files    ${describeFileLimit()}`);
      context.print(`certificate   ${await describeCertificate(publicUrl)}`);
      context.print(`mail server   ${await describeMail(context.config)}`);
      context.print(`backups       ${await describeBackups(backups, store, clocks.limits())}`);
      context.print(`map tiles     ${tiles ? describeTiles(tiles, city) : 'none; neighborhoods are the base of the map'}`);
      for (const [table, count] of Object.entries({ ...(await countRecords(store.db)), ...(await countAccounts(store.db)) })) {
        context.print(`${`${table}s`.padEnd(14)}${count}`);
      }
      context.print('');
      printTable(
        context,
        ['table', 'size', 'rows', 'oldest', 'kept'],
        (await readSizes(store.db)).map(({ name, bytes, rows, oldest, kept }) => [
          ...[name, `${(bytes / 1_048_576).toFixed(1)} MB`, `~${Math.round(rows)}`, oldest ?? '', kept],
        ]),
      );
    });
  });
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

/** The `place` commands: files of addresses, and where a text is. */

import { createInterface } from 'node:readline';
import { Command } from 'commander';
import {
  type AddressPlacer,
  listAddressFiles,
  loadPlaceCredits,
  loadPlacer,
  type PlacedText,
  registerDigest,
  removeAddressFile,
} from '../addresses/index.ts';
import type { Context } from '../context.ts';
import { areasOf } from '../ingest/index.ts';
import { loadVenueAddresses, readCity, readNeighborhoods } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { recordCommand } from './audit.ts';
import { printTable } from './print-table.ts';

export function placeCommand(context: Context): Command {
  const place = new Command('place').description('finds the point of an address, and imports house numbers and streets');
  place
    .command('find')
    .description('reads one text a line from standard input, and prints one point a line')
    .option('--json', 'reads one JSON string a line, and prints JSON')
    .action(({ json }: { json?: true }) =>
      context.withStore(async (store) => {
        const placer = await openPlacer(store);
        const format = json ? formatJson : formatLine;
        for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
          context.print(format(placer.find(json ? readText(line) : line)));
        }
      }),
    );
  place
    .command('list')
    .description('lists the imported files')
    .option('--json', 'print them as JSON')
    .action(({ json }: { json?: true }) =>
      context.withStore(async ({ db }) => {
        const files = await listAddressFiles(db);
        if (json)
          return context.print(JSON.stringify({ files, credits: await loadPlaceCredits(db), digest: await registerDigest(db) }));
        if (files.length === 0) return context.print('no addresses are imported');
        const rows = files.map(({ name, format, houses, streets, importedAt, credit }) => [
          ...[name, format, String(houses), String(streets), new Date(importedAt).toISOString(), credit],
        ]);
        return printTable(context, ['file', 'format', 'houses', 'streets', 'imported', 'credit'], rows);
      }),
    );
  place
    .command('remove')
    .description('removes the addresses of an imported file')
    .argument('<name>', 'name of the file, as place list prints it')
    .action((name: string) =>
      context.withStore(async (store) => {
        if (!(await removeAddressFile(store.db, name))) {
          throw new ExpectedError(
            'refused',
            `No imported file is named ${JSON.stringify(name)}; marquee place list prints the names.`,
          );
        }
        await recordCommand(context, store, { action: 'place.remove', subject: 'place', subjectId: null, detail: { name } });
        context.print(`removed ${name}`);
      }),
    );
  return place;
}

const formatJson = (found: PlacedText | null): string => JSON.stringify(found);
const formatLine = (found: PlacedText | null): string =>
  found ? `${found.latitude} ${found.longitude} ${found.precision} (${found.via})` : 'nowhere';

async function openPlacer({ db }: Store): Promise<AddressPlacer> {
  const city = await readCity(db);
  if (!city) throw new ExpectedError('refused', 'There is no city yet; import a bundle first (docs/bundle.md).');
  const [neighborhoods, venues] = [await readNeighborhoods(db), await loadVenueAddresses(db)];
  return await loadPlacer(db, { city, areas: areasOf(city, neighborhoods), venues });
}

/** A line that is no JSON string is an error: answers must stay beside their texts. */
function readText(line: string): string {
  try {
    const text: unknown = JSON.parse(line);
    if (typeof text === 'string') return text;
  } catch {
    // Told below.
  }
  throw new ExpectedError('refused', `Each line must be a JSON string such as "12 Main St", but one is ${line.slice(0, 80)}.`);
}

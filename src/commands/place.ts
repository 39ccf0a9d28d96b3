/** The `place` commands: files of addresses, and where a text is. */

import { basename } from 'node:path';
import { createInterface as createPrompt } from 'node:readline/promises';
import { Command } from 'commander';
import {
  findHouseByName,
  type Geocoder,
  importAddressFile,
  listAddressFiles,
  loadPlaceCredits,
  loadPlacer,
  OSM_CREDIT,
  openAddressFile,
  openGeocoder,
  type PlacedText,
  registerDigest,
  removeAddressFile,
  surer,
} from '../addresses/index.ts';
import type { Context } from '../context.ts';
import { isNearCity, readCityFacts } from '../facts/index.ts';
import { areasOf } from '../ingest/index.ts';
import { loadVenueAddresses, readCity, readNeighborhoods } from '../records/index.ts';
import type { Store } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { recordCommand } from './audit.ts';
import { showProgress } from './print-run.ts';
import { counted, printTable } from './print-table.ts';

export function placeCommand(context: Context): Command {
  const place = new Command('place').description('finds the point of an address, and imports house numbers and streets');
  place
    .command('import')
    .description('imports house numbers and streets; a file of the same name replaces the earlier one')
    .argument('<file>', 'Overpass JSON, OpenStreetMap XML or PBF, GeoJSON, or a table (docs/addresses.md)')
    .option('--licence <text>', 'line of credit that is shown for the file; required unless it is of OpenStreetMap')
    .option('--name <name>', 'name of the file (default: its own)')
    .option('--json', 'print the report as JSON')
    .action((file: string, flags: ImportFlags) => importFile(context, file, flags));
  place
    .command('find')
    .description('prints the point of each text, one a line; without texts, reads one a line from standard input')
    .argument('[text...]', 'such as "12 Main St"')
    .option('--json', 'reads one JSON string a line, and prints JSON')
    .action((texts: string[], { json }: { json?: true }) =>
      context.withStore((store) => findTexts(context, store, texts, json === true)),
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
        const rows = files.map(({ name, format, houses, streets, names, importedAt, credit }) => [
          ...[name, format, String(houses), String(streets), String(names), new Date(importedAt).toISOString(), credit],
        ]);
        return printTable(context, ['file', 'format', 'houses', 'streets', 'names', 'imported', 'credit'], rows);
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

interface ImportFlags {
  licence?: string;
  name?: string;
  json?: true;
}

async function importFile(context: Context, path: string, { licence, name = basename(path), json }: ImportFlags): Promise<void> {
  const file = await openAddressFile(path);
  const credit = licence?.trim() || (file.isOpenStreetMap ? OSM_CREDIT : await askLicence(context, path));
  await context.withStore(async (store) => {
    const progress = showProgress(context, 'import', process.stderr, 'percent');
    const onProgress = (share: number) => progress.update(share, Math.round(share * 100));
    const now = context.config.clocks.directory();
    const report = await importAddressFile(store.db, file, { name, credit, now, onProgress }).finally(progress.end);
    const { format, houses, streets, names } = report;
    const detail = { name, format, houses, streets, names };
    await recordCommand(context, store, { action: 'place.import', subject: 'place', subjectId: null, detail });
    if (json) return context.print(JSON.stringify({ name, ...report }));
    for (const [reason, count] of Object.entries(report.rejected)) context.remark(`rejected ${count}: ${reason}`);
    return context.print(
      `${report.replaced ? 'replaced' : 'imported'} ${name}: ${counted(houses, 'house')}, ${counted(streets, 'street')}${names > 0 ? `, ${counted(names, 'name')}` : ''}; ${credit}`,
    );
  });
}

/** Who publishes data must name whoever made them. */
async function askLicence(context: Context, path: string): Promise<string> {
  const wanted = `--licence must say whose data ${path} is, such as "City of Alder, CC BY 4.0": pages and exports show this line`;
  if (!context.watched || !process.stdin.isTTY) throw new ExpectedError('bad_option', `${wanted}.`);
  const terminal = createPrompt({ input: process.stdin, output: process.stderr });
  try {
    const answer = (await terminal.question('Whose data is it, and under which licence? ')).trim();
    if (answer === '') throw new ExpectedError('bad_option', `${wanted}.`);
    return answer;
  } finally {
    terminal.close();
  }
}

async function findTexts(context: Context, store: Store, texts: readonly string[], json: boolean): Promise<void> {
  const { geocoder: address, userAgent, clocks } = context.config;
  const geocoder = address && openGeocoder({ db: store.db, address, userAgent, now: clocks.limits });
  const find = await openFinder(context, store, geocoder);
  const format = json ? formatJson : formatLine;
  try {
    for (const text of texts) context.print(format(await find(text)));
    if (texts.length > 0) return;
    let number = 0;
    for await (const line of linesOf(process.stdin)) {
      number++;
      const text = json ? readText(line) : line;
      if (text === null)
        context.remark(`line ${number} is no JSON string such as "12 Main St": ${JSON.stringify(line.slice(0, 80))}`);
      context.print(format(text === null ? null : await find(text)));
    }
  } finally {
    await geocoder?.close();
  }
}

/** A service that fails is told once. */
async function openFinder(context: Context, { db }: Store, geocoder: Geocoder | null) {
  const city = await readCity(db);
  if (!city) throw new ExpectedError('refused', 'There is no city yet; import a bundle first (docs/bundle.md).');
  const [neighborhoods, venues] = [await readNeighborhoods(db), await loadVenueAddresses(db)];
  const facts = { city, areas: areasOf(city, neighborhoods), venues };
  const placer = await loadPlacer(db, facts);
  const cityFacts = readCityFacts(city, neighborhoods);
  const isInCity = (point: { latitude: number; longitude: number }) => isNearCity(point, cityFacts);
  // Words behind the name of a house may name another town: then nobody knows them here.
  const isHere = (text: string): boolean => {
    const behind = text.split(',').slice(1).join(',').trim();
    return behind === '' || placer.find(behind) !== null;
  };
  const told = new Set<string>();
  const tell = (sentence: string | null): void => {
    if (sentence === null || told.has(sentence)) return;
    told.add(sentence);
    context.remark(sentence);
  };
  return async (text: string): Promise<PlacedText | null> => {
    const placed = placer.find(text);
    const question = placer.questionOf(text);
    if (!question) return placed;
    const named = isHere(text) ? await findHouseByName(db, text, isInCity) : null;
    if (named || !geocoder) return named ?? placed;
    const { open, warning } = await geocoder.ask([question], city);
    tell(warning ?? (open > 0 ? 'the geocoder is not asked about further texts now (docs/addresses.md)' : null));
    return surer(placed, (await geocoder.load(city)).find(question));
  };
}

/** UTF-8, split at `\n` alone: a JSON string may hold U+2028, which other readers of lines take for an end. `\r` before it is cut. */
async function* linesOf(input: AsyncIterable<unknown>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.replace(/\r$/, '');
  }
  rest += decoder.decode();
  if (rest !== '') yield rest.replace(/\r$/, '');
}

const formatJson = (found: PlacedText | null): string => JSON.stringify(found);
const formatLine = (found: PlacedText | null): string =>
  found ? `${found.latitude} ${found.longitude} ${found.precision} (${found.via})` : 'nowhere';

/** Null for a line that is no JSON string. */
function readText(line: string): string | null {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

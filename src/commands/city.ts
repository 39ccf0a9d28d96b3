/** The `city` commands: a directory begins with its city. */

import { basename } from 'node:path';
import { Command, Option } from 'commander';
import { importAddressFile, OSM_CREDIT, openAddressFile } from '../addresses/index.ts';
import {
  type CityExtract,
  type CityFact,
  type CityInput,
  countryOfZone,
  createCity,
  type DiscoveredSite,
  describeCity,
  discoverSources,
  openExtract,
  parseCenter,
  readExtract,
  zoneAt,
} from '../city-setup/index.ts';
import type { Context } from '../context.ts';
import { DEMO_CITY } from '../demo/index.ts';
import type { SourceCandidate } from '../finding/index.ts';
import { addSource, listSources } from '../ingest/index.ts';
import { type City, loadVenueSites, readCity } from '../records/index.ts';
import { boxAround, distance, METERS_PER_KM, type Point } from '../values/distance.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { recordCommand } from './audit.ts';
import { cityOf, freeName, showAll, takenNames, withFinder } from './find-source.ts';
import { showProgress, summarize } from './print-run.ts';
import { counted } from './print-table.ts';
import { type Runner, withRunner } from './runner.ts';
import { noteSource, readSeconds } from './source.ts';

interface DiscoverFlags {
  add?: true;
  every?: number;
  json?: true;
}

interface CreateFlags {
  center?: string;
  zone?: string;
  country?: string;
  languages?: string;
  extract?: string;
}

export function cityCommand(context: Context): Command {
  const city = new Command('city').description('the city of the directory');
  city
    .command('create')
    .description('creates the city of an empty directory, or asks for what is missing on a terminal')
    .argument('<name>', 'name of the city')
    .option('--center <lat,lon>', 'its center in degrees, such as 45.5,-73.6')
    .option('--zone <zone>', 'its IANA time zone, such as America/Toronto')
    .option('--country <country>', 'two letters of its country (ISO 3166-1), such as CA')
    .option('--languages <codes>', 'languages of its listings, the most common first, such as en,fr')
    .option('--extract <file>', 'extract of OpenStreetMap: neighborhoods, venues and house numbers (see docs/first-city.md)')
    .action((name: string, flags: CreateFlags) => withRunner(context, (runner) => create(context, runner, name, flags)));
  city
    .command('discover')
    .description('looks for sources of events on the websites of the venues')
    .option(
      '--add',
      'add each candidate that needs no look: it has events to come, is no other one again, and is meant for the public',
    )
    .addOption(new Option('--every <time>', 'interval of the runs of what is added, such as 6h or 1d').argParser(readSeconds))
    .option('--json', 'print all sites as a JSON list')
    .action((flags: DiscoverFlags) => withRunner(context, (runner) => discover(context, runner, flags)));
  return city;
}

/** Sites are told as soon as they are read: whoever stops the command has what was found, and added, until then. */
async function discover(context: Context, runner: Runner, { json, add, every }: DiscoverFlags): Promise<void> {
  const { store } = runner;
  const venues = await loadVenueSites(store.db);
  if (venues.length === 0)
    throw new ExpectedError('refused', 'No venue has a website. Venues of an extract have one if OpenStreetMap knows it.');
  if (every !== undefined && !add) throw new ExpectedError('refused', '--every is for what --add adds.');
  const taken = await takenNames(store);
  const known = new Set((await listSources({ store })).map(({ location }) => location));
  let count = 0;
  const onSite = async ({ venue, website, candidates: found = [], reason }: DiscoveredSite, done: number): Promise<void> => {
    const candidates = found.filter(({ location }) => !known.has(location));
    context.remark(`${done} of ${venues.length}: ${venue}, ${website}: ${reason ?? counted(candidates.length, 'candidate')}`);
    const sure = add ? candidates.filter(({ preferred }) => preferred) : [];
    const added = await addSure(context, runner, { venue, sure, taken, known }, { json, every });
    count += added;
    const open = candidates.filter((candidate) => !sure.includes(candidate));
    if (json || open.length === 0) return;
    context.print(`${venue}, ${website}`);
    showAll(context, open, taken);
  };
  const sites = await withFinder(context, await cityOf(context, store), (find) =>
    discoverSources(venues, { known, find, onSite }),
  );
  if (json) context.print(JSON.stringify(sites));
  const having = sites.filter(({ candidates }) => candidates).length;
  context.remark(`${counted(having, 'venue has', 'venues have')} candidates, of ${sites.length}`);
  if (add) context.remark(`${counted(count, 'source')} added${count > 0 ? '; to read them now, run marquee ingest' : ''}`);
}

/** How many were added. `taken` and `known` get what is added. */
async function addSure(
  context: Context,
  runner: Runner,
  { venue, sure, taken, known }: { venue: string; sure: readonly SourceCandidate[]; taken: Set<string>; known: Set<string> },
  { json, every }: { json: true | undefined; every: number | undefined },
): Promise<number> {
  // Before anything is waited for: sites are read at the same time, and two may embed one calendar.
  for (const { location } of sure) known.add(location);
  let count = 0;
  for (const [at, candidate] of sure.entries()) {
    const name = freeName(at === 0 ? { ...candidate, title: venue } : candidate, taken);
    taken.add(name);
    if (await addCandidate(context, runner, { ...candidate, name, every })) {
      count++;
      if (!json) context.print(`added ${name}: ${counted(candidate.events, 'upcoming event')}`);
    } else known.delete(candidate.location);
  }
  return count;
}

/** Whether it was added; if not, the reason is told. */
async function addCandidate(
  context: Context,
  { store, checkAddress }: Runner,
  { kind, location, name, every }: Pick<SourceCandidate, 'kind' | 'location'> & { name: string; every: number | undefined },
): Promise<boolean> {
  const now = context.config.clocks.directory;
  const added = await addSource({ store, kind, location, mapping: null, name, everySeconds: every, checkAddress, now });
  if (!added.ok) context.remark(`${name} is not added: ${added.reason}`);
  else await noteSource(context, store, 'add', name);
  return added.ok;
}

async function create(context: Context, runner: Runner, name: string, flags: CreateFlags): Promise<void> {
  const { store } = runner;
  const held = await readCity(store.db);
  if (held) throw new ExpectedError('refused', explainHeld(context, held));
  const extract = flags.extract === undefined ? null : await readFile(context, flags.extract, name, given(flags));
  const described = await askForCity(context, inputOf(name, flags, extract), extract !== null);
  const city = extract ? { ...described, radiusKm: extract.radiusKm } : described;
  const { dataDir, clocks } = context.config;
  const created = await createCity({ store, city, extract, dataDir, now: clocks.directory });
  await recordCommand(context, store, { action: 'city.create', subject: 'city', subjectId: null, detail: { slug: city.slug } });
  const { slug, timezone, currency, locale, latitude, longitude } = city;
  context.print(`created ${city.name} (${slug}): center ${latitude},${longitude}, ${timezone}, ${currency}, ${locale}`);
  if (extract && flags.extract !== undefined)
    await describeExtract(context, runner, city, { ...extract, file: flags.extract }, created);
  context.remark('to find events, run marquee source find with the web address of a venue, a library or a club');
}

async function readFile(context: Context, path: string, name: string, center: Point | null): Promise<CityExtract> {
  const progress = showProgress(context, 'extract', process.stderr, 'percent');
  const read = openExtract(path, (share) => progress.update(share, Math.round(share * 100)));
  return read.then((elements) => readExtract(elements, name, center)).finally(progress.end);
}

const given = ({ center }: CreateFlags) => (center === undefined ? null : parseCenter(center));

/** What the extract brought, each with a line. */
async function describeExtract(
  context: Context,
  runner: Runner,
  city: City,
  { file, ...extract }: CityExtract & { file: string },
  { neighborhoods, source }: Awaited<ReturnType<typeof createCity>>,
): Promise<void> {
  context.print(counted(neighborhoods, 'neighborhood'));
  for (const doubt of doubtsOf(extract, city.name)) context.remark(doubt);
  if (extract.cutAreas.length > 0) {
    context.remark(`left out, because the extract cuts them off: ${extract.cutAreas.slice(0, SHOWN_AREAS).join(', ')}`);
  }
  if (extract.houseNumbers + extract.venues.length > 0) await importHouseNumbers(context, runner, city, file);
  if (source === null) return context.print('0 venues');
  const progress = showProgress(context, source);
  const report = await runner.run(source, ({ done, of }) => progress.update(done / Math.max(of, 1), done)).finally(progress.end);
  context.print(`source ${source}: ${summarize(report)}`);
}

/** What an operator should look at: the file may be of another place, or of a part of the city. */
function doubtsOf(
  { isCenterGuessed, namesakes, hasBorder, radiusKm, venues, venuesLeftOut }: CityExtract,
  name: string,
): string[] {
  return [
    ...(isCenterGuessed
      ? [
          `the extract does not name ${name}: its center is the middle of what the extract has there; if that is wrong, give --center`,
        ]
      : []),
    ...(namesakes > 0
      ? [
          `the extract has ${counted(namesakes, 'other place')} named ${name}: the largest one was taken; for another, give --center`,
        ]
      : []),
    ...(hasBorder
      ? []
      : [
          `the extract does not have the whole boundary of ${name}: everything up to ${radiusKm} km from the center is taken for the city`,
        ]),
    ...(venuesLeftOut > 0
      ? [
          `left out ${counted(venuesLeftOut, 'venue')}: a source lists ${venues.length} at most, so those nearest to the center were taken`,
        ]
      : []),
  ];
}

/** Houses far from the city are left out: an extract may be of a whole region. */
async function importHouseNumbers(
  context: Context,
  { store }: Runner,
  { latitude, longitude, radiusKm = 0 }: City,
  path: string,
): Promise<void> {
  const progress = showProgress(context, 'house numbers', process.stderr, 'percent');
  const importing = importAddressFile(store.db, await openAddressFile(path), {
    name: basename(path),
    credit: OSM_CREDIT,
    now: context.config.clocks.directory(),
    onProgress: (share) => progress.update(share, Math.round(share * 100)),
    isWanted: (point) => distance(latitude, longitude, point.latitude, point.longitude) <= radiusKm * METERS_PER_KM,
  });
  try {
    const { houses, streets, names } = await importing.finally(progress.end);
    context.print(`${counted(houses, 'house number')}, ${counted(streets, 'street')}`);
    if (names > 0) context.print(counted(names, 'named house'));
  } catch (error) {
    // The city is there already, and house numbers can be imported later.
    if (!(error instanceof ExpectedError)) throw error;
    context.remark(error.message);
    const { west, south, east, north } = boxAround({ latitude, longitude }, radiusKm * METERS_PER_KM);
    const box = [west, south, east, north].map((degrees) => degrees.toFixed(DEGREE_DECIMALS)).join(',');
    context.remark(`the city has no house numbers yet; it lies in the box ${box}, and marquee place import adds them later`);
  }
}

/** A center of an extract says which zone it is, and often a zone which country. */
function inputOf(name: string, { center, zone, country, languages }: CreateFlags, extract: CityExtract | null): CityInput {
  const input: CityInput = {
    name,
    center: center ?? null,
    zone: zone ?? null,
    country: country ?? null,
    languages: languages ?? null,
  };
  if (!extract) return input;
  if (extract.center) input.center ??= formatCenter(extract.center);
  return {
    ...input,
    zone: input.zone ?? suggest('zone', input),
    country: input.country ?? extract.country ?? suggest('country', input),
  };
}

/** Rejects with an `ExpectedError` for what is wrong, and for what is missing if nobody can be asked. */
async function askForCity(context: Context, input: CityInput, hasExtract: boolean): Promise<City> {
  for (let known = input; ; ) {
    const described = describeCity(known);
    if (described.ok) return described.city;
    const { missing, reason } = described;
    if (missing === null || !context.ask) {
      const hint = missing !== null && hasExtract ? '; the extract does not say it' : '';
      throw new ExpectedError('refused', `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${hint}.`);
    }
    const suggestion = suggest(missing, known);
    const answer = (await context.ask(`${QUESTIONS[missing]}${suggestion === null ? '' : ` [${suggestion}]`}: `)).trim();
    known = { ...known, [missing]: answer === '' ? (suggestion ?? '') : answer };
  }
}

function suggest(fact: CityFact, { center, zone }: CityInput): string | null {
  const likelyZone = zone ?? (center === null ? null : zoneAt(center));
  if (fact === 'zone') return likelyZone;
  return fact === 'country' && likelyZone !== null ? countryOfZone(likelyZone) : null;
}

function explainHeld({ config }: Context, { slug, name }: City): string {
  const own = config.databaseUrl === null ? 'an empty data folder (MARQUEE_DATA_DIR)' : 'a database of its own (DATABASE_URL)';
  if (slug === DEMO_CITY.slug) {
    return `The directory holds the demo city ${name}, which npm start loads where no city is. To start over, stop the service and create your city in ${own}.`;
  }
  return `The directory already holds ${name}, and a directory holds one city. Create another city in ${own}, or change this one with marquee import and a city.json.`;
}

const formatCenter = ({ latitude, longitude }: { latitude: number; longitude: number }): string =>
  `${latitude.toFixed(6)},${longitude.toFixed(6)}`;

const QUESTIONS: Readonly<Record<CityFact, string>> = {
  center: 'Center of the city, LAT,LON',
  zone: 'Time zone',
  country: 'Country, two letters',
};
const SHOWN_AREAS = 5;
const DEGREE_DECIMALS = 3;

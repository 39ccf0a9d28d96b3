/** The parts of a bundle that are read as a whole: the city and its neighborhoods. */

import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import {
  type Check,
  type Checked,
  createLocator,
  type Fields,
  isRefusal,
  type Locate,
  list,
  numberWithin,
  object,
  oneOf,
  optional,
  parseVenue,
  type Reject,
  readFields,
  text,
  textOrNull,
  wanted,
} from '../../facts/index.ts';
import {
  type City,
  type Neighborhood,
  readCity,
  readNeighborhoods,
  recordChanges,
  writeCity,
  writeNeighborhoods,
} from '../../records/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { distance, METERS_PER_KM, USUAL_RADIUS_KM } from '../../values/distance.ts';
import { IngestError } from '../ingest-error.ts';
import { lockRecords } from '../records/records.ts';
import type { Counts } from '../stored-runs/run-report.ts';
import { BUNDLE_FILES, type OpenBundle } from './open-bundle.ts';
import { type NeighborhoodDraft, parseNeighborhood, readFeatures, SLUG } from './parse-neighborhoods.ts';
import type { ReadLine } from './read-ndjson.ts';

interface Base {
  db: Kysely<Database>;
  now: number;
  newId: () => string;
  dryRun: boolean;
}

interface ImportedCity {
  city: City;
  /** The slug of another one that was there. */
  replaced: string | null;
  warnings: string[];
}

/** The city of the directory from now on; that of the bundle when it brings one. */
export async function importCity(base: Base, bundle: Pick<OpenBundle, 'city' | 'readVenuesAgain'>): Promise<ImportedCity> {
  const held = await readCity(base.db);
  if (bundle.city === undefined) {
    if (held) return { city: held, replaced: null, warnings: [] };
    throw new IngestError('city_missing', `the directory has no city yet and the bundle has no ${BUNDLE_FILES.city}`);
  }
  const parsed = parseCity(bundle.city);
  if (!parsed.ok) {
    const where = parsed.field === null ? BUNDLE_FILES.city : `${BUNDLE_FILES.city}: ${parsed.field}`;
    throw new IngestError('city_invalid', `${where}: ${parsed.reason}`);
  }
  const middle = await middleOfVenues(bundle.readVenuesAgain?.());
  const { center, ...rest } = parsed.value;
  const city = { ...rest, ...(center ?? centerWithout(rest.slug, held, middle)) };
  const outcome = {
    city,
    replaced: held && held.slug !== city.slug ? held.slug : null,
    warnings: middle && kilometers(city, middle) > (city.radiusKm ?? USUAL_RADIUS_KM) ? [warningOf(city, middle)] : [],
  };
  if (base.dryRun || isDeepStrictEqual(held && { ...held }, city)) return outcome;
  await transact(base.db, async (trx) => {
    await lockRecords(trx);
    await recordChanges(trx, await writeCity(trx, city), base.now);
  });
  return outcome;
}

/** A center that is known stays: venues that come and go must not move the border. */
function centerWithout(slug: string, held: City | null, middle: Center | null): Center {
  const center = held?.slug === slug ? { latitude: held.latitude, longitude: held.longitude } : middle;
  if (center) return center;
  const wanted = `wanted latitude and longitude, or a venue with a point in ${BUNDLE_FILES.venues}, got neither`;
  throw new IngestError('city_invalid', `${BUNDLE_FILES.city}: center: ${wanted}`);
}

/**
 * The median of their latitudes and of their longitudes: while fewer than half of the points are wrong, both lie between those of right
 * points. Null without a venue that has a point.
 */
async function middleOfVenues(lines: AsyncIterable<ReadLine> | undefined): Promise<Center | null> {
  const points: Center[] = [];
  for await (const read of lines ?? []) {
    const parsed = read.ok ? parseVenue(read.value) : null;
    if (parsed?.ok && !parsed.value.isApproximate) points.push(parsed.value);
  }
  const [latitude, longitude] = [median(points.map((each) => each.latitude)), median(points.map((each) => each.longitude))];
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** A value that occurs: between 179.9 and -179.9 degrees there is none. */
const median = (values: number[]): number | undefined => values.sort((a, b) => a - b)[(values.length - 1) >> 1];

const kilometers = (a: Center, b: Center): number => distance(a.latitude, a.longitude, b.latitude, b.longitude) / METERS_PER_KM;

function warningOf(city: City, middle: Center): string {
  const away = Math.round(kilometers(city, middle)).toLocaleString('en-US');
  return `${BUNDLE_FILES.city}: center: ${city.latitude}, ${city.longitude} is ${away} km from the middle of the venues, which is ${middle.latitude}, ${middle.longitude}`;
}

export interface Areas {
  counts: Counts;
  locate: Locate;
  slugs: ReadonlySet<string>;
  /** To be pruned: in the directory, but not in the bundle. */
  lacking: { id: string; slug: string }[];
}

/** Writes the neighborhoods of a bundle and gives the map that its venues are placed on: without those that `prune` will remove. */
export async function importNeighborhoods(
  base: Base,
  bundle: OpenBundle,
  prune: boolean,
  onReject: (reject: Reject) => void,
): Promise<Areas> {
  const drafts = bundle.neighborhoods === undefined ? null : readDrafts(bundle, onReject);
  if (base.dryRun || drafts === null) return compare(await readNeighborhoods(base.db), drafts, prune, base.newId).areas;
  return transact(base.db, async (trx) => {
    await lockRecords(trx);
    const { areas, differing } = compare(await readNeighborhoods(trx), drafts, prune, base.newId);
    await recordChanges(trx, await writeNeighborhoods(trx, differing, base.now), base.now);
    return areas;
  });
}

type Drafts = ReadonlyMap<string, NeighborhoodDraft | null>;
type Differing = Neighborhood & { isNew: boolean };

/** What a bundle's drafts (null: it brings no neighborhoods) make of those that are held. */
function compare(
  held: readonly Neighborhood[],
  drafts: Drafts | null,
  prune: boolean,
  newId: () => string,
): { areas: Areas; differing: Differing[] } {
  const lacking = prune && drafts ? held.filter(({ slug }) => !drafts.has(slug)) : [];
  const heldBySlug = new Map(held.map((neighborhood) => [neighborhood.slug, neighborhood]));
  const accepted = [...(drafts?.values() ?? [])].filter((draft) => draft !== null);
  const differing = accepted.flatMap((draft): Differing[] => {
    const before = heldBySlug.get(draft.slug);
    const neighborhood = { ...draft, id: before?.id ?? newId() };
    return before && isDeepStrictEqual({ ...before }, neighborhood) ? [] : [{ ...neighborhood, isNew: !before }];
  });
  const away = new Set(lacking.map(({ slug }) => slug));
  const present = new Map<string, Pick<Neighborhood, 'slug' | 'geometry'>>();
  for (const neighborhood of [...held, ...differing]) {
    if (!away.has(neighborhood.slug)) present.set(neighborhood.slug, neighborhood);
  }
  const created = differing.filter(({ isNew }) => isNew).length;
  const areas: Areas = {
    counts: { created, updated: differing.length - created, unchanged: accepted.length - differing.length },
    locate: createLocator([...present.values()]),
    slugs: new Set(present.keys()),
    lacking: lacking.map(({ id, slug }) => ({ id, slug })),
  };
  return { areas, differing };
}

/** By slug; null for a feature that was rejected but says which neighborhood it means. */
function readDrafts(bundle: OpenBundle, onReject: (reject: Reject) => void): Map<string, NeighborhoodDraft | null> {
  const features = readFeatures(bundle.neighborhoods);
  if (!features.ok) {
    throw new IngestError('neighborhoods_invalid', `${BUNDLE_FILES.neighborhoods}: ${features.field}: ${features.reason}`);
  }
  const drafts = new Map<string, NeighborhoodDraft | null>();
  for (const [index, feature] of features.value.entries()) {
    const line = bundle.featureLines[index] ?? index + 1;
    const reject = (field: string | null, reason: string) => onReject({ file: BUNDLE_FILES.neighborhoods, line, field, reason });
    const parsed = parseNeighborhood(feature);
    if (!parsed.ok) {
      reject(parsed.field, parsed.reason);
      const slug = (feature as { properties?: { slug?: unknown } } | null)?.properties?.slug;
      if (typeof slug === 'string' && !drafts.has(slug)) drafts.set(slug, null);
      continue;
    }
    const { slug } = parsed.value;
    if (drafts.get(slug)) reject('properties.slug', `${JSON.stringify(slug)} is already that of another feature`);
    else drafts.set(slug, parsed.value);
  }
  return drafts;
}

/** As a bundle gives it: without a center, the middle of its venues is taken. */
type BundleCity = Omit<City, keyof Center> & { center: Center | null };

export function parseCity(value: unknown): Checked<BundleCity> {
  const read = readFields(CITY_FIELDS, value);
  if (!read.ok) return read;
  const { languages, credit, radiusKm, ...rest } = read.value;
  const optional = {
    ...(languages.length > 0 && { languages }),
    ...(credit !== null && { credit }),
    ...(radiusKm !== null && { radiusKm }),
  };
  return { ok: true, value: { ...rest, ...optional } };
}

type Center = Pick<City, 'latitude' | 'longitude'>;

const slug: Check<string> = (value) =>
  typeof value === 'string' && SLUG.test(value) ? value : wanted('a slug such as new-york', value);

const timezone: Check<string> = (value) => {
  if (typeof value !== 'string' || !/^[A-Za-z]/.test(value)) return wanted('an IANA time zone such as America/New_York', value);
  try {
    Temporal.Now.instant().toZonedDateTimeISO(value);
    return value;
  } catch {
    return wanted('an IANA time zone such as America/New_York', value);
  }
};

const currency: Check<string> = (value) => {
  const checked = oneOf(Intl.supportedValuesOf('currency'))(value);
  return isRefusal(checked) ? wanted('an ISO 4217 currency such as USD', value) : checked;
};

const locale: Check<string> = (value) => {
  try {
    const [canonical] = typeof value === 'string' ? Intl.getCanonicalLocales(value) : [];
    return canonical ?? wanted('a BCP 47 locale such as en-US', value);
  } catch {
    return wanted('a BCP 47 locale such as en-US', value);
  }
};

interface CityDocument extends Omit<City, keyof Center | 'languages' | 'credit' | 'radiusKm'> {
  center: Center | null;
  languages: string[];
  credit: string | null;
  radiusKm: number | null;
}

const MAX_LANGUAGES = 10;
const CITY_FIELDS: Fields<CityDocument> = {
  slug,
  name: text(200),
  timezone,
  currency,
  locale,
  center: optional(object<Center>({ latitude: numberWithin(-90, 90), longitude: numberWithin(-180, 180) }), null),
  languages: list(locale, MAX_LANGUAGES),
  credit: textOrNull(500),
  radiusKm: optional(numberWithin(1, 1000), null),
};

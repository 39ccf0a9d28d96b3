/** A file of house numbers, streets and names of houses into the register; its format is told by its content. */

import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { nameKey, nameWords } from '../facts/index.ts';
import { type Database, inPieces, transact } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { createSink, type GatheredAddresses, type GatheredName, type GatheredStreet } from './formats/address-sink.ts';
import { ADDRESS_KEYS, readOsm } from './formats/osm.ts';
import { readGeoJson, readTable } from './formats/registers.ts';
import { type AddressFormat, isOsmFormat, type OpenedAddressFile, readOsmElements, readText } from './open-file.ts';
import { packHouses, packLines } from './packed-street.ts';

export interface AddressImport {
  format: AddressFormat;
  houses: number;
  streets: number;
  /** Houses with a name. */
  names: number;
  /** How many elements or rows were rejected, by reason. */
  rejected: Record<string, number>;
  credit: string;
  /** A file of this name was imported before. */
  replaced: boolean;
}

export interface AddressImportInput {
  name: string;
  credit: string;
  /** Milliseconds since 1970. */
  now: number;
  onProgress?: (share: number) => void;
  /** Houses, and streets by their first point, of which this is false are passed over. */
  isWanted?: (point: { latitude: number; longitude: number }) => boolean;
}

/** Reads the whole file before it writes: a file that cannot be read replaces nothing. */
export async function importAddressFile(
  db: Kysely<Database>,
  file: OpenedAddressFile,
  input: AddressImportInput,
): Promise<AddressImport> {
  const { format } = file;
  const gathered = await gather(file, input).catch((error: Error) => {
    const how = error instanceof RangeError && isOsmFormat(format) ? `, such as with ${CUT_COMMAND} ${file.path}` : '';
    throw new ExpectedError('refused', `Cannot import ${file.path}: ${error.message}${how}.`, { cause: error });
  });
  const rejected = Object.fromEntries(gathered.rejected);
  if (gathered.streets.length + gathered.names.length === 0) {
    const reasons = Object.entries(rejected).map(([reason, count]) => `${reason} (${count})`);
    const why =
      reasons.length === 0 ? 'no element has addr:housenumber, or a name with highway, building or amenity' : reasons.join(', ');
    throw new ExpectedError(
      'refused',
      `Cannot import ${file.path}: it has no house number and no street that can be read, and no name of a house: ${why}.`,
    );
  }
  const replaced = await transact(db, (trx) => replaceFile(trx, gathered, { ...input, format }));
  const streets = new Set(gathered.streets.map(({ street }) => street)).size;
  return { format, houses: gathered.houses, streets, names: gathered.names.length, rejected, credit: input.credit, replaced };
}

async function gather(file: OpenedAddressFile, { onProgress, isWanted }: AddressImportInput): Promise<GatheredAddresses> {
  const sink = createSink(isWanted);
  const text = () => readText(file, onProgress);
  if (isOsmFormat(file.format)) await readOsm(() => readOsmElements(file, ADDRESS_KEYS, onProgress), sink, isWanted);
  else if (file.format === 'geojson') await readGeoJson(text(), file.isLines, sink);
  else await readTable(text(), file.head.replace(/^\uFEFF/, ''), sink);
  return sink.finish();
}

async function replaceFile(
  trx: Transaction<Database>,
  { streets, names: named, houses }: GatheredAddresses,
  { name, format, credit, now }: { name: string; format: AddressFormat; credit: string; now: number },
): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('address_file').where('name', '=', name).executeTakeFirst();
  const rows = streets.map(packStreet);
  const id = crypto.randomUUID();
  const names = named.map(packName);
  const counts = { houses, streets: new Set(streets.map(({ street }) => street)).size, names: names.length };
  await trx
    .insertInto('address_file')
    .values({ id, name, format, credit, digest: digestOf(rows, names), ...counts, imported_at: new Date(now) })
    .execute();
  await inPieces(rows, (piece) =>
    trx
      .insertInto('address_street')
      .values(piece.map((row) => ({ ...row, file_id: id })))
      .execute(),
  );
  await inPieces(names, (piece) =>
    trx
      .insertInto('address_name')
      .values(piece.map((row) => ({ ...row, file_id: id })))
      .execute(),
  );
  return numDeletedRows > 0n;
}

const packName = ({ name, address, latitude, longitude, isExact }: GatheredName) => ({
  ...{ name, name_key: nameKey(name), words: [...new Set(nameWords(name))] },
  ...{ address, latitude, longitude, is_exact: isExact },
});

const packStreet = ({ street, town, postcode, houses, lines }: GatheredStreet) => ({
  ...{ street, town, postcode },
  houses: packHouses(houses),
  lines: packLines(lines),
});

function digestOf(rows: readonly ReturnType<typeof packStreet>[], names: readonly ReturnType<typeof packName>[]): string {
  const hash = createHash('sha256');
  for (const { street, town, postcode, houses, lines } of rows)
    hash.update(`${street}\n${town}\n${postcode}\n`).update(houses).update(lines);
  for (const named of names) hash.update(JSON.stringify(named));
  return hash.digest('base64url');
}

/** Of the tool that most keepers of extracts have (osmcode.org/osmium-tool). */
const CUT_COMMAND = 'osmium extract --bbox WEST,SOUTH,EAST,NORTH -o town.osm.pbf';

export { OSM_CREDIT } from '../values/osm-credit.ts';

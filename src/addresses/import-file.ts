/** A file of house numbers and streets into the register; its format is told by its content. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Kysely, Transaction } from 'kysely';
import { type Database, inPieces, transact } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { createSink, type GatheredAddresses, type GatheredStreet } from './formats/address-sink.ts';
import { readOsm } from './formats/osm.ts';
import { overpassElements, pbfElements, xmlElements } from './formats/osm-files.ts';
import { readGeoJson, readTable } from './formats/registers.ts';
import { packHouses, packLines } from './packed-street.ts';

export type AddressFormat = 'overpass' | 'osm-pbf' | 'osm-xml' | 'geojson' | 'table';

export interface OpenedAddressFile {
  path: string;
  format: AddressFormat;
  /** Whether the file says that it is of OpenStreetMap: then its credit is known. */
  isOpenStreetMap: boolean;
  isCompressed: boolean;
  isLines: boolean;
  head: string;
  bytes: number;
}

export interface AddressImport {
  format: AddressFormat;
  houses: number;
  streets: number;
  /** How many elements or rows were rejected, by reason. */
  rejected: Record<string, number>;
  credit: string;
  /** A file of this name was imported before. */
  replaced: boolean;
}

/** Looks at the first bytes. Throws an `ExpectedError` for a file that cannot be read or has another format. */
export async function openAddressFile(path: string): Promise<OpenedAddressFile> {
  const refuse = (reason: string): never => {
    throw new ExpectedError('refused', `Cannot import ${path}: ${reason}.`);
  };
  const found = await stat(path).catch(() => null);
  if (!found) return refuse('there is no such file');
  if (!found.isFile()) return refuse('it is no file');
  const first = await readFirst(path);
  const isCompressed = first[0] === 0x1f && first[1] === 0x8b;
  const bytes = isCompressed
    ? await firstOf(createReadStream(path).pipe(createGunzip())).catch(() => refuse('its compression is damaged'))
    : first;
  const format = formatOf(bytes);
  if (format === null) {
    return refuse('wanted Overpass JSON, OpenStreetMap XML or PBF, GeoJSON, or a table with a head line, and it is none of them');
  }
  const head = bytes.toString('utf8');
  const isOsmFile = format === 'overpass' || format === 'osm-pbf' || format === 'osm-xml';
  return {
    ...{ path, format, isCompressed, head, bytes: found.size },
    isOpenStreetMap: isOsmFile || /openstreetmap/i.test(head),
    isLines: format === 'geojson' && !/"features"\s*:\s*\[/.test(head) && !head.trimStart().startsWith('['),
  };
}

async function readFirst(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function firstOf(stream: Readable): Promise<Buffer> {
  for await (const chunk of stream) return (chunk as Buffer).subarray(0, HEAD_BYTES);
  return Buffer.alloc(0);
}

function formatOf(bytes: Buffer): AddressFormat | null {
  if (bytes.subarray(0, PBF_MARK_BYTES).includes('OSMHeader')) return 'osm-pbf';
  if (bytes.length === 0 || bytes.includes(0)) return null;
  const head = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  const format = FORMATS.find(([, begin]) => begin.test(head));
  return format?.[0] ?? null;
}

/** Reads the whole file before it writes: a file that cannot be read replaces nothing. */
export async function importAddressFile(
  db: Kysely<Database>,
  file: OpenedAddressFile,
  input: { name: string; credit: string; now: number; onProgress?: (share: number) => void },
): Promise<AddressImport> {
  const { format } = file;
  const gathered = await gather(file, input.onProgress ?? (() => undefined)).catch((error: Error) => {
    throw new ExpectedError('refused', `Cannot import ${file.path}: ${error.message}.`, { cause: error });
  });
  const rejected = Object.fromEntries(gathered.rejected);
  if (gathered.streets.length === 0) {
    const reasons = Object.entries(rejected).map(([reason, count]) => `${reason} (${count})`);
    const why = reasons.length === 0 ? 'no element has addr:housenumber, or highway with a name' : reasons.join(', ');
    throw new ExpectedError(
      'refused',
      `Cannot import ${file.path}: it has no house number and no street that can be read: ${why}.`,
    );
  }
  const replaced = await transact(db, (trx) => replaceFile(trx, gathered, { ...input, format }));
  const streets = new Set(gathered.streets.map(({ street }) => street)).size;
  return { format, houses: gathered.houses, streets, rejected, credit: input.credit, replaced };
}

async function gather(file: OpenedAddressFile, onProgress: (share: number) => void): Promise<GatheredAddresses> {
  const sink = createSink();
  const text = () => decode(readBytes(file, onProgress), file.head);
  switch (file.format) {
    case 'overpass':
      await readOsm(() => overpassElements(text()), sink);
      break;
    case 'osm-xml':
      await readOsm(() => xmlElements(text()), sink);
      break;
    case 'osm-pbf':
      await readOsm(() => pbfElements(Readable.from(readBytes(file, onProgress))), sink);
      break;
    case 'geojson':
      await readGeoJson(text(), file.isLines, sink);
      break;
    case 'table':
      await readTable(text(), file.head.replace(/^\uFEFF/, ''), sink);
  }
  return sink.finish();
}

async function* readBytes(
  { path, bytes, isCompressed }: OpenedAddressFile,
  onProgress: (share: number) => void,
): AsyncGenerator<Buffer> {
  const raw = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const unpacked = isCompressed ? raw.pipe(createGunzip()) : raw;
  raw.once('error', (error) => unpacked.destroy(error));
  for await (const chunk of unpacked) {
    onProgress(raw.bytesRead / bytes);
    yield chunk as Buffer;
  }
}

/** UTF-8, or Windows-1252 if the first bytes are none. */
async function* decode(bytes: AsyncIterable<Buffer>, head: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(head.slice(0, -1).includes('\uFFFD') ? 'windows-1252' : 'utf-8');
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function replaceFile(
  trx: Transaction<Database>,
  { streets, houses }: GatheredAddresses,
  { name, format, credit, now }: { name: string; format: AddressFormat; credit: string; now: number },
): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('address_file').where('name', '=', name).executeTakeFirst();
  const rows = streets.map(packStreet);
  const id = crypto.randomUUID();
  const names = new Set(streets.map(({ street }) => street)).size;
  await trx
    .insertInto('address_file')
    .values({ id, name, format, credit, digest: digestOf(rows), houses, streets: names, imported_at: new Date(now) })
    .execute();
  await inPieces(rows, (piece) =>
    trx
      .insertInto('address_street')
      .values(piece.map((row) => ({ ...row, file_id: id })))
      .execute(),
  );
  return numDeletedRows > 0n;
}

const packStreet = ({ street, town, postcode, houses, lines }: GatheredStreet) => ({
  ...{ street, town, postcode },
  houses: packHouses(houses),
  lines: packLines(lines),
});

function digestOf(rows: readonly ReturnType<typeof packStreet>[]): string {
  const hash = createHash('sha256');
  for (const { street, town, postcode, houses, lines } of rows)
    hash.update(`${street}\n${town}\n${postcode}\n`).update(houses).update(lines);
  return hash.digest('base64url');
}

/** How files of text begin: the first that fits counts. */
const FORMATS: readonly (readonly [AddressFormat, RegExp])[] = [
  ['osm-xml', /^<[\s\S]*?<osm[\s>]|^<osm[\s>]/],
  ['geojson', /^[{[][\s\S]*?"(?:type"\s*:\s*"Feature|features"\s*:)/],
  ['overpass', /^\{[\s\S]*?"(?:elements|osm3s)"\s*:/],
  ['table', /^[^<{[\n]*[,;\t|]/],
];

export { OSM_CREDIT } from '../values/osm-credit.ts';

const HEAD_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** The head of the first block of a PBF file names it within these bytes. */
const PBF_MARK_BYTES = 64;

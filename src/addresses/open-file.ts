/** Files of addresses and maps: their format is told by their content, plain or gzipped, and they are read in pieces. */

import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ExpectedError } from '../values/expected-error.ts';
import { describeFileTrouble } from '../values/file-trouble.ts';
import type { OsmElement } from './formats/osm-element.ts';
import { overpassElements, pbfElements, xmlElements } from './formats/osm-files.ts';

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

/**
 * Looks at the first bytes. Throws an `ExpectedError` for a file that cannot be read or has another format.
 * @param verb what the file is opened for, as the error says it.
 */
export async function openAddressFile(path: string, verb = 'import'): Promise<OpenedAddressFile> {
  const refuse = (reason: string): never => {
    throw new ExpectedError('refused', `Cannot ${verb} ${path}: ${reason}.`);
  };
  const found = await stat(path).catch((error: unknown) => refuse(describeFileTrouble(error)));
  if (!found.isFile()) return refuse('it is no file');
  const first = await readFirst(path).catch((error: unknown) => refuse(describeFileTrouble(error)));
  const isCompressed = first[0] === 0x1f && first[1] === 0x8b;
  const bytes = isCompressed
    ? await firstOf(createReadStream(path).pipe(createGunzip())).catch(() => refuse('its compression is damaged'))
    : first;
  const format = formatOf(bytes);
  if (format === null) {
    return refuse('wanted Overpass JSON, OpenStreetMap XML or PBF, GeoJSON, or a table with a head line, and it is none of them');
  }
  const head = bytes.toString('utf8');
  return {
    ...{ path, format, isCompressed, head, bytes: found.size },
    isOpenStreetMap: isOsmFormat(format) || /openstreetmap/i.test(head),
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

/**
 * All elements of a file of OpenStreetMap from the beginning, in batches. Throws an `Error` that says why the file cannot be read.
 * @param keys of the tags that are needed, or null for all; files of text give all tags in any case.
 */
export async function* readOsmElements(
  file: OpenedAddressFile,
  keys: readonly string[] | null,
  onProgress?: (share: number) => void,
): AsyncGenerator<readonly OsmElement[]> {
  if (file.format === 'osm-pbf') yield* pbfElements(Readable.from(readBytes(file, onProgress)), keys);
  else yield* (file.format === 'osm-xml' ? xmlElements : overpassElements)(readText(file, onProgress));
}

export const isOsmFormat = (format: AddressFormat): boolean => OSM_FORMATS.has(format);

export function readText(file: OpenedAddressFile, onProgress?: (share: number) => void): AsyncGenerator<string> {
  return decode(readBytes(file, onProgress), file.head);
}

async function* readBytes(
  { path, bytes, isCompressed }: OpenedAddressFile,
  onProgress: (share: number) => void = () => undefined,
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

/** How files of text begin: the first that fits counts. */
const FORMATS: readonly (readonly [AddressFormat, RegExp])[] = [
  ['osm-xml', /^<[\s\S]*?<osm[\s>]|^<osm[\s>]/],
  ['geojson', /^[{[][\s\S]*?"(?:type"\s*:\s*"Feature|features"\s*:)/],
  ['overpass', /^\{[\s\S]*?"(?:elements|osm3s)"\s*:/],
  ['table', /^[^<{[\n]*[,;\t|]/],
];

const OSM_FORMATS: ReadonlySet<AddressFormat> = new Set(['overpass', 'osm-pbf', 'osm-xml']);

const HEAD_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** The head of the first block of a PBF file names it within these bytes. */
const PBF_MARK_BYTES = 64;

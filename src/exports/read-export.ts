/** A full NDJSON export of another instance, as a bundle that can be imported. */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type EventDetail, slugify } from '../records/index.ts';
import { parseLines } from './columns.ts';
import { MANIFEST_FILE, type Manifest } from './model.ts';
import { NEIGHBORHOODS_FILE } from './write-export.ts';

/** As `importBundle` takes it. */
export interface ExportBundle {
  city: unknown;
  neighborhoods: unknown;
  venues: AsyncIterable<unknown>;
  events: AsyncIterable<unknown>;
}

/** What is in the folder cannot be imported. The message is one sentence to print. */
export class ReadExportError extends Error {
  readonly code = 'bad_export';
}

/** Null where the folder has no manifest. Every file is compared with its hash before anything leaves. */
export async function readExport(folder: string): Promise<ExportBundle | null> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    // What is no folder is no export: whoever reads bundles says so.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new ReadExportError(`${MANIFEST_FILE} cannot be read (${error.code}).`, { cause: error });
  });
  if (text === null) return null;
  const manifest = parseManifest(text);
  for (const file of manifest.files) await checkFile(folder, file);
  const partsOf = (kind: 'event' | 'venue') =>
    manifest.files.flatMap(({ name }) => (name.startsWith(`${kind}s-`) ? [join(folder, name)] : []));
  const areas = manifest.files.find(({ name }) => name === NEIGHBORHOODS_FILE);
  return {
    city: manifest.city ?? undefined,
    neighborhoods: areas && JSON.parse(await readFile(join(folder, areas.name), 'utf8')),
    venues: venuesOf(partsOf('venue')),
    events: eventsOf(partsOf('event')),
  };
}

function parseManifest(text: string): Manifest {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(text) as Manifest;
  } catch (error) {
    throw new ReadExportError(`${MANIFEST_FILE} is no JSON.`, { cause: error });
  }
  const { format, query, previous, files } = manifest;
  if (!Array.isArray(files)) throw new ReadExportError(`${MANIFEST_FILE} is no manifest of an export.`);
  if (format !== 'ndjson') throw new ReadExportError(`The export is in ${format}: only NDJSON can be imported.`);
  if (query !== null || previous !== null) {
    throw new ReadExportError(
      `The export is ${previous ? 'an increment' : 'of a query'}: only a full export of everything can be imported.`,
    );
  }
  const strange = files.find(({ name }) => typeof name !== 'string' || basename(name) !== name);
  if (strange) throw new ReadExportError(`${MANIFEST_FILE} names a file outside of its folder.`);
  return manifest;
}

async function checkFile(folder: string, { name, sha256 }: Manifest['files'][number]): Promise<void> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(join(folder, name))) hash.update(chunk as Buffer);
  } catch (error) {
    throw new ReadExportError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  }
  if (hash.digest('hex') !== sha256) {
    throw new ReadExportError(`${name} is not the file that the manifest describes: its SHA-256 differs. Download it again.`);
  }
}

async function* recordsOf(files: readonly string[]): AsyncGenerator<unknown> {
  for (const file of files) {
    let begun = Buffer.alloc(0);
    for await (const chunk of createReadStream(file)) {
      const bytes = Buffer.concat([begun, chunk as Buffer]);
      const end = bytes.lastIndexOf('\n') + 1;
      begun = bytes.subarray(end);
      yield* parseLines<unknown>(bytes.subarray(0, end));
    }
  }
}

interface VenueLine {
  id: string;
  neighborhood: string | null;
}

async function* venuesOf(files: readonly string[]): AsyncGenerator<unknown> {
  for await (const record of recordsOf(files)) {
    const { neighborhood, ...venue } = record as VenueLine;
    // A venue outside of all neighborhoods stays there: the polygons are not asked.
    yield { ...venue, externalId: venue.id, ...(neighborhood === null ? { isApproximate: true } : { neighborhood }) };
  }
}

/** First those that have the plain slug of their title: it is given to whoever comes first. */
async function* eventsOf(files: readonly string[]): AsyncGenerator<unknown> {
  for (const isPlain of [true, false]) {
    for await (const record of recordsOf(files)) {
      const { venue, ...event } = record as EventDetail;
      if ((slugify(event.title) === event.slug) === isPlain) yield { ...event, externalId: event.id, venue: venue.id };
    }
  }
}

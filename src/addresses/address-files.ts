/** The files of addresses that an operator imported. */

import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import { OSM_CREDIT } from '../values/osm-credit.ts';
import { hasAnswers } from './geocoder/keep-answers.ts';

export interface AddressFile {
  name: string;
  format: string;
  credit: string;
  houses: number;
  streets: number;
  names: number;
  /** Milliseconds. */
  importedAt: number;
}

/** By name. */
export async function listAddressFiles(db: Kysely<Database>): Promise<AddressFile[]> {
  const rows = await db.selectFrom('address_file').selectAll().orderBy('name').execute();
  return rows.map(({ name, format, credit, houses, streets, names, imported_at }) => ({
    name,
    format,
    credit,
    houses,
    streets,
    names,
    importedAt: imported_at.getTime(),
  }));
}

/** Removes a file with all of its addresses; false if there is none of this name. */
export async function removeAddressFile(db: Kysely<Database>, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('address_file').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The lines that name whoever made the imported data, or what a geocoder answered, each once. */
export async function loadPlaceCredits(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('address_file').select('credit').distinct().orderBy('credit').execute();
  const credits = new Set(rows.map(({ credit }) => credit));
  // Nominatim and Photon answer from OpenStreetMap.
  if (await hasAnswers(db)) credits.add(OSM_CREDIT);
  return [...credits].sort();
}

/** A short text that differs whenever other addresses are imported; '' for none. */
export async function registerDigest(db: Kysely<Database>): Promise<string> {
  const rows = await db.selectFrom('address_file').select(['name', 'digest']).orderBy('name').execute();
  if (rows.length === 0) return '';
  const hash = createHash('sha256');
  for (const { name, digest } of rows) hash.update(`${name}\n${digest}\n`);
  return hash.digest('base64url').slice(0, DIGEST_CHARS);
}

const DIGEST_CHARS = 16;

/** `manifest.json`: what an export is and what its files are, signed. */

import type { City } from '../records/index.ts';
import type { ExportContent, ExportedCity, ExportPosition, Manifest, PreviousExport } from './model.ts';
import type { SigningKey } from './signing-key.ts';
import type { WrittenExport } from './write-export.ts';

export interface ManifestFacts {
  position: ExportPosition;
  /** Directory time, milliseconds. */
  now: number;
  query: string | null;
  content: Pick<ExportContent, 'format' | 'columns'>;
  city: City | null;
  credits: readonly string[];
  written: WrittenExport;
  previous: PreviousExport | null;
}

export function createManifest(facts: ManifestFacts, key: SigningKey): Manifest {
  const { position, now, query, content, city, credits, written, previous } = facts;
  const unsigned: Omit<Manifest, 'signature'> = {
    epoch: position.epoch,
    sequence: position.sequence,
    generatedAt: new Date(now).toISOString(),
    query,
    format: content.format,
    columns: content.columns,
    city: city && showCity(city),
    ...(credits.length > 0 && { credits }),
    rows: written.files.reduce((sum, { rows }) => sum + rows, 0),
    files: written.files.map((file) => ({ ...file, url: file.name })),
    deleted: written.deleted,
    previous: written.isFull ? null : previous,
  };
  return { ...unsigned, signature: key.sign(signedText(unsigned)) };
}

function showCity({ slug, name, timezone, currency, locale, latitude, longitude }: City): ExportedCity {
  return { slug, name, timezone, currency, locale, center: { latitude, longitude } };
}

/** The manifest as compact JSON, without the signature and without the addresses of files, which differ for each reader. */
export function signedText(manifest: Omit<Manifest, 'signature'> & { signature?: unknown }): string {
  const { signature: _, files, ...facts } = manifest;
  const plainFiles = files.map(({ name, bytes, sha256, rows }) => ({ name, bytes, sha256, rows }));
  // The order of members is that of the file.
  return JSON.stringify(
    Object.fromEntries(
      Object.keys(manifest)
        .filter((name) => name !== 'signature')
        .map((name) => [name, name === 'files' ? plainFiles : facts[name as keyof typeof facts]]),
    ),
  );
}

export const formatManifest = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

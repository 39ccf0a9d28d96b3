/** What an export is: what is asked for, what is written, and what its manifest says. */

import type { EventQuery } from '../search/index.ts';
import type { ColumnName } from './columns.ts';

export const EXPORT_FORMATS = ['ndjson', 'csv', 'geojson', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
export const isExportFormat = (text: string): text is ExportFormat => (EXPORT_FORMATS as readonly string[]).includes(text);

/** All that matches; an export has no pages. */
export type ExportFilter = Omit<EventQuery, 'limit' | 'offset' | 'facets'>;

/** What goes into the files. */
export interface ExportContent {
  format: ExportFormat;
  /** Null: each record exactly as its detail endpoint answers it. */
  columns: readonly ColumnName[] | null;
  /** Null: everything, venues included. */
  filter: ExportFilter | null;
}

export interface ExportFile {
  name: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  rows: number;
}

/** Which history of the directory an export belongs to, and how far it had come. */
export interface ExportPosition {
  epoch: string;
  /** The number of the last change that is in the files. */
  sequence: number;
}

/** The export that an increment follows. */
export interface PreviousExport extends ExportPosition {
  id: string;
}

export interface Manifest extends ExportPosition {
  /** ISO 8601, UTC. */
  generatedAt: string;
  /** Query string of `GET /events`; null: everything. */
  query: string | null;
  format: ExportFormat;
  columns: readonly ColumnName[] | null;
  /** As `city.json` of a bundle. */
  city: ExportedCity | null;
  /** Whose data it is, a line each; absent where no licence asks for one. */
  credits?: readonly string[];
  /** Of all files. */
  rows: number;
  /** `url`: relative to the manifest; the API answers with absolute ones. It is not signed. */
  files: (ExportFile & { url: string })[];
  /** Ids of records that the previous export had and this one lacks; empty in a full export. */
  deleted: readonly string[];
  /** Null: the export is full. */
  previous: PreviousExport | null;
  signature: ManifestSignature;
}

export interface ExportedCity {
  slug: string;
  name: string;
  timezone: string;
  currency: string;
  locale: string;
  center: { latitude: number; longitude: number };
}

export interface ManifestSignature {
  algorithm: 'ed25519';
  keyId: string;
  /** Base64. */
  value: string;
}

export const MANIFEST_FILE = 'manifest.json';

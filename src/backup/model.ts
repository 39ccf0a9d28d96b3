/** What a backup says about itself, and why one may be refused. */

import { ExpectedError } from '../values/expected-error.ts';

/** The first line. */
export interface BackupHeader {
  marquee: 'backup';
  format: number;
  /** Of the Marquee that wrote it. */
  version: string;
  engine: 'embedded' | 'postgres';
  /** When the moment was that it shows. */
  moment: string;
  /** Of the change log, with the number of its last change at this moment. */
  epoch: string;
  sequence: number;
  /** The migrations that its tables have had, in the order of their names. */
  schema: readonly { name: string; checksum: string }[];
}

export interface TableFacts {
  rows: number;
  /** Of all rows in any order: see `row-digest.ts`. */
  digest: string;
}

/** The last line. */
export interface BackupManifest extends Omit<BackupHeader, 'marquee'> {
  tables: Readonly<Record<string, TableFacts>>;
  rows: number;
  /** Files of the data folder that are in the backup. */
  files: readonly string[];
  /** Of all lines before, not compressed. */
  sha256: string;
}

/** How far a generator of numbers has come. */
export interface SequenceState {
  sequence: string;
  last: string;
  isCalled: boolean;
}

/** A file of the data folder. Its content may be a secret: never log it. */
export interface DataFile {
  file: string;
  content: string;
}

export const FORMAT = 1;

export type BackupErrorCode = keyof typeof SENTENCES;

/** The message is one sentence or two to print. It holds no secret. */
export class BackupError extends ExpectedError {
  declare readonly code: BackupErrorCode;
  readonly facts: Readonly<Record<string, string>>;

  constructor(code: BackupErrorCode, facts: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(
      code,
      SENTENCES[code].replace(/\{(\w+)\}/g, (_, fact: string) => facts[fact] ?? 'The backup'),
      cause === undefined ? undefined : { cause },
    );
    this.name = 'BackupError';
    this.facts = facts;
  }
}

/** Whoever reads the bytes of a backup does not know its name: it is added where it is known. Other errors pass as they are. */
export const nameFile = (error: unknown, file: string): unknown =>
  error instanceof BackupError ? new BackupError(error.code, { file, ...error.facts }, error.cause) : error;

const SENTENCES = {
  not_a_backup: '{file} is not a backup of Marquee.',
  cut: '{file} ends too early. The backup is incomplete and cannot be used.',
  damaged: '{file} is damaged: {what}. Use another backup.',
  newer_format:
    '{file} has format {format}, but this version reads format {known}. Use the version of Marquee that wrote it ({version}), or a newer one.',
  newer_schema:
    '{file} was written by a newer version of Marquee ({version}; unknown migration: {migration}). Use that version or a newer one.',
  other_schema: '{file} has another form of the migration {migration}. Use the version of Marquee that wrote it ({version}).',
  wrong_tables: '{file} does not have the tables of its own version: {what}. Use another backup.',
  rejected_rows: 'The database rejected rows of {file}: {reason}. Use another backup.',
  not_empty: 'The store is not empty: it has rows in {tables}. Restore into an empty store. Nothing was changed.',
  store_in_use:
    'Other processes of Marquee use the database ({count} connections). Stop all of them, then restore. Nothing was changed.',
  secret_missing:
    'No secret is set, and the data folder {folder} has none, so a restored service could not open what this one has sealed. Set MARQUEE_SECRET, or use --without-secret.',
  secret_differs:
    'MARQUEE_SECRET differs from the secret in the backup. Set it to that secret, or unset it for the restore. Nothing was changed.',
  no_database:
    'There is no database of Marquee in {place}, so there is nothing to back up. Check MARQUEE_DATA_DIR and DATABASE_URL.',
  database_older:
    'The database is of an older version. Back it up with that version, because it cannot restore a backup of this version. Nothing was changed.',
  cannot_read: 'Cannot read {file}: {reason}.',
  cannot_write: 'Cannot write {file}: {reason}.',
  other_content: 'The restored data differs from the backup {file}: {what}.',
} as const;

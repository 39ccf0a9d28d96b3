/** Every refusal of the store: a stable code for programs, one clear sentence for people. No sentence holds a password. */

import { ExpectedError } from '../values/expected-error.ts';

export type StoreErrorCode = keyof typeof SENTENCES;

export class StoreError extends ExpectedError {
  declare readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, facts: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(
      code,
      SENTENCES[code].replace(/\{(\w+)\}/g, (_, fact: string) => facts[fact] ?? '?'),
      cause === undefined ? undefined : { cause },
    );
    this.name = 'StoreError';
  }
}

const SENTENCES = {
  data_folder_not_writable: 'The data folder {folder} (MARQUEE_DATA_DIR) cannot be written: {reason}.',
  data_folder_busy:
    'Another process holds the data folder {folder} (MARQUEE_DATA_DIR) but does not answer: end it, or choose another folder.',
  lock_file_foreign:
    'The lock file {file} was not made by Marquee: nothing was changed; move it away if it is yours, else remove it, and start again.',
  files_too_few:
    'The embedded database needs {needed} open files, and this process may have {limit} (ulimit -n): raise the limit, or use a PostgreSQL server.',
  engine_failed: 'The embedded database in {folder} did not start: {reason}.',
  database_url_invalid: 'DATABASE_URL is not of the form postgresql://user:password@host:port/name.',
  database_unreachable: 'The database {database} cannot be reached: {reason}.',
  database_login_refused: 'The database {database} refused the login: {reason}.',
  database_right_missing:
    'The database {database} refused: {reason}. The user needs the right to create tables in the default schema, and to read and change all tables of Marquee.',
  database_read_only: 'The database {database} can only be read: {reason}. Marquee needs one that may be written.',
  database_full:
    'The database {database} has no space left: {reason}. What was acknowledged is kept; make room and run it again.',
  database_too_old: 'The database {database} is PostgreSQL {version}, but 15 or newer is needed.',
  database_newer: 'The database was migrated by a newer version of Marquee (migration {migration} is unknown here).',
  migration_edited: 'The migration {migration} was applied to this database in another form than this version of Marquee has it.',
  migration_failed: 'The migration {migration} failed: {reason}.',
  list_broken: 'The list {list} does not go on after number {position}: the database was restored or the list was cut.',
  store_closed: 'The store is closed.',
} as const;

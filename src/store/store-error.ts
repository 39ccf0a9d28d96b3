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
  data_folder_not_writable: 'Cannot write to the data folder {folder} (MARQUEE_DATA_DIR): {reason}.',
  data_folder_busy:
    'Another process uses the data folder {folder} (MARQUEE_DATA_DIR) but does not respond. Stop the process, or choose another folder.',
  data_folder_in_use: 'A process uses the data folder {folder} (MARQUEE_DATA_DIR). Stop the process, then try again.',
  copy_busy: 'Another backup or restore of the data folder {folder} is running. Wait until it ends, then try again.',
  copy_without_room:
    'A backup copies the database first, which needs {needed} MB in {folder}, but only {free} MB are free. Free some space, then try again.',
  lock_file_foreign:
    'Marquee did not create the lock file {file}. Nothing was changed. Move or delete the file, then start again.',
  files_too_few:
    'The embedded database needs {needed} open files, but this process may open only {limit} (ulimit -n). Raise the limit, or use a PostgreSQL server.',
  engine_failed: 'The embedded database in {folder} did not start: {reason}.',
  database_url_invalid: '{fault}.',
  database_unreachable: 'Cannot connect to the database {database}: {reason}.',
  database_login_refused: 'The database {database} rejected the login: {reason}.',
  database_right_missing:
    'The database {database} rejected the request: {reason}. The user needs the right to create tables in the default schema, and to read and change all tables of Marquee.',
  database_read_only: 'The database {database} is read-only: {reason}. Marquee needs a writable database.',
  database_full:
    'The database {database} has no space left: {reason}. Committed data is safe. Free some space, then start again.',
  database_out_of_memory:
    'The database {database} ran out of memory: {reason}. Nothing that was under way was kept. Import less at once, or use a PostgreSQL server with more memory.',
  database_damaged:
    'The database {database} is damaged: {reason}. marquee doctor --deep lists all damage, and docs/operations.md says how to repair it.',
  database_too_old: 'The database {database} is PostgreSQL {version}, but 15 or newer is needed.',
  database_older:
    'The database is of an older version: {pending}. Nothing was changed. Use the version of the service, or upgrade: start the service with this version, or run marquee migrate.',
  database_newer:
    'A newer version of Marquee migrated this database (unknown migration: {migration}). Use that version or a newer one.',
  migration_edited:
    'The migration {migration} differs from the migration that was applied to this database. Use the version of Marquee that created the database, or a newer one.',
  migration_failed: 'The migration {migration} failed: {reason}.',
  list_broken: 'The list {list} has no entries after number {position}: the database was restored, or the list was truncated.',
  store_closed: 'The store is closed.',
} as const;

/** What an error of the database says of damage. */

import { StoreError } from '../store-error.ts';

/** The database's own words; other errors are thrown on. Without checksums, damage has any message. */
export function describeFault(error: unknown): string {
  if (error instanceof StoreError && error.code === 'database_damaged') return (error.cause as Error).message;
  const { code = '', message } = error as Error & { code?: string };
  if (UNREADABLE.test(code)) return message;
  throw error;
}

/** Whether the relation was dropped meanwhile. */
export function isGone(error: unknown): boolean {
  const { code = '', message } = error as Error & { code?: string };
  return GONE.test(message) || DROPPED.has(code);
}

const GONE = /^could not open relation with OID/;
/** undefined_table, undefined_object. */
const DROPPED: ReadonlySet<string> = new Set(['42P01', '42704']);
/** internal_error, data_exception. */
const UNREADABLE = /^(XX|22)[0-9A-Z]{3}$/;

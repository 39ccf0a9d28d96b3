/** How a transaction of a backup speaks with the database: text that means the same everywhere, and time for long statements. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';

/** Settings of the transaction. What a type prints depends on them. */
export async function prepareSession(trx: Kysely<Database>): Promise<void> {
  for (const setting of SETTINGS) await sql`set local ${sql.raw(setting)}`.execute(trx);
}

/** A transaction that waits for a slow file or network says something now and then: a silent one would be ended. */
export async function keepAlive<T>(trx: Kysely<Database>, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void sql`select 1`.execute(trx).catch(() => undefined), SIGN_OF_LIFE_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

const SETTINGS = [
  "timezone = 'UTC'",
  "datestyle = 'ISO, YMD'",
  "intervalstyle = 'iso_8601'",
  "bytea_output = 'hex'",
  'extra_float_digits = 1',
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
];
const SIGN_OF_LIFE_MS = 20_000;

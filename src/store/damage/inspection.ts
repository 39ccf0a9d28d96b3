/** PostgreSQL's own extensions that look into its files, added within transactions that are taken back. */

import { type ControlledTransaction, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { DAY_MS, HOUR_MS } from '../../values/duration.ts';
import type { Database } from '../schema.ts';
import { StoreError } from '../store-error.ts';

/** `amcheck` compares rows and indexes; `pageinspect` shows pages as they are. */
export type Extension = 'amcheck' | 'pageinspect';

/** A function of an extension, by the schema where it is. */
type FunctionOf = (extension: Extension, name: string) => RawBuilder<unknown>;

export interface Inspection {
  use<T>(work: (trx: Transaction<Database>, functionOf: FunctionOf) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

interface Slice {
  trx: ControlledTransaction<Database>;
  functionOf: FunctionOf;
  until: number;
}

/** The embedded engine works for nobody else within a transaction: none lasts much longer than SLICE_MS. */
export function openInspection(db: Kysely<Database>, extensions: readonly Extension[]): Inspection {
  let slice: Slice | null = null;

  async function begin(): Promise<Slice> {
    const trx = await db.startTransaction().execute();
    try {
      // A whole table may take longer than a statement of the service.
      await sql`set local statement_timeout = 0`.execute(trx);
      for (const extension of extensions) await sql`create extension if not exists ${sql.ref(extension)}`.execute(trx);
      const { rows } = await sql<{ name: string; schema: string }>`
        select extname as name, extnamespace::regnamespace::text as schema from pg_extension`.execute(trx);
      const schemas = new Map(rows.map(({ name, schema }) => [name, schema]));
      const functionOf: FunctionOf = (extension, name) => sql.ref(`${schemas.get(extension) ?? 'public'}.${name}`);
      return { trx, functionOf, until: performance.now() + SLICE_MS };
    } catch (error) {
      await trx.rollback().execute();
      throw error;
    }
  }

  async function end(): Promise<void> {
    const old = slice;
    slice = null;
    await old?.trx.rollback().execute();
  }

  return {
    end,
    async use(work) {
      if (slice && performance.now() > slice.until) await end();
      slice ??= await begin();
      try {
        return await work(slice.trx, slice.functionOf);
      } catch (error) {
        // It takes no further statement.
        await end();
        throw error;
      }
    },
  };
}

/** Null: it can be used. */
export async function whyUnusable(db: Kysely<Database>, extension: Extension): Promise<string | null> {
  const inspection = openInspection(db, [extension]);
  try {
    await inspection.use((trx, functionOf) =>
      extension === 'amcheck'
        ? sql`select ${functionOf(extension, 'bt_index_check')}('pg_class_oid_index'::regclass)`.execute(trx)
        : sql`select ${functionOf(extension, 'get_raw_page')}('pg_class_oid_index', 0)`.execute(trx),
    );
    return null;
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    if (code === 'database_damaged') return null;
    if (!NOT_USABLE.has(code)) throw error;
    // The sentence around the database's own words is about the rights that a service needs.
    return error instanceof StoreError ? (error.cause as Error).message : message;
  } finally {
    await inspection.end();
  }
}

/* Signs that the files of the database do not hold what was written, kept in memory for whoever tells about the service. */

export interface DamageSign {
  /** When the first and the last sign were seen, milliseconds. */
  since: number;
  at: number;
  /** As the log may say it. */
  reason: string;
}

export interface DamageNotes {
  /** `at`: when the sign was seen, now unless told. */
  note(reason: string, at?: number): void;
  /** Null: no sign was seen for LASTS_MS. */
  last(): DamageSign | null;
}

/** `onSign`: told of a sign at most once an hour. `now`: real time, milliseconds. */
export function createDamageNotes(onSign?: (reason: string) => void, now: () => number = Date.now): DamageNotes {
  let sign: DamageSign | null = null;
  let toldAt = Number.NEGATIVE_INFINITY;
  const last = () => (sign && now() - sign.at < LASTS_MS ? sign : null);
  return {
    note(reason, at = now()) {
      sign = { since: last()?.since ?? at, at, reason };
      if (now() - toldAt < TELL_EVERY_MS) return;
      toldAt = now();
      onSign?.(reason);
    },
    last,
  };
}

/** Whoever looks for damage finds it again sooner than that. */
const LASTS_MS = DAY_MS;
const TELL_EVERY_MS = HOUR_MS;
/** insufficient_privilege, feature_not_supported (it is not installed), undefined_file, undefined_function. */
const NOT_USABLE: ReadonlySet<string> = new Set(['42501', 'database_right_missing', '0A000', '58P01', '42883']);
const SLICE_MS = 250;

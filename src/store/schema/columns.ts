/** How columns are read and written. */

import type { ColumnType } from 'kysely';

/** A moment: read as `Date`, written as `Date` or ISO text. */
export type InstantColumn = ColumnType<Date, Date | string, Date | string>;
export type MaybeInstantColumn = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
/** numeric and bigint arrive as text: neither fits a JavaScript number in general. */
export type Numeric = ColumnType<string, number | string, number | string>;
export type MaybeNumeric = ColumnType<string | null, number | string | null | undefined, number | string | null>;
/** A calendar day, `YYYY-MM-DD`. */
export type Day = ColumnType<string, string, string>;

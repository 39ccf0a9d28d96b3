/** What an endpoint is: a row of the route table, what it is asked, and what it can answer. */

import type { TSchema } from 'typebox';
import type { Caller, Gate, TierName } from '../accounts/index.ts';
import type { ExportReader } from '../exports/index.ts';
import type { FeedReader } from '../feeds/index.ts';
import type { Problem } from '../http/index.ts';
import type { ParameterConflict, ParameterTable, Values } from '../query/index.ts';
import type { ChangeReader, Interpretation, RecordLookup, Snapshot } from '../search/index.ts';
import type { SchemaName } from './schemas.ts';

export interface Route<T extends ParameterTable = ParameterTable> {
  /** Below the prefix, with `{id}` where the record's UUID stands. */
  path: string;
  operationId: string;
  /** The lowest tier that may call it. */
  tier: TierName;
  /** False: counts nothing and answers when the allowance is spent. */
  metered: boolean;
  summary: string;
  description: string;
  parameters: T;
  /** What no parameter can see alone. `now`: directory time, milliseconds. */
  conflicts?(values: Values<T>, now: number): readonly ParameterConflict[];
  /** Statuses of refusals that only some routes have. */
  statuses?: readonly number[];
  /** Schemas of the 200; the first is what is answered unasked. Empty for another form than JSON. */
  answers: readonly SchemaName[];
  /** `{id}` names something of the caller's account, which nobody merges or removes for them. */
  isOwned?: true;
  /** Present on a row that answers in another form than the contract's JSON, whatever `Accept` says: the extension wins. */
  form?: RouteForm;
  answer(ask: Ask<T>): RouteOutcome | Promise<RouteOutcome>;
}

export interface RouteForm {
  /** The list that it is a form of. */
  of: string;
  mediaType: string;
  contentType: string;
  schema: TSchema;
}

/** The erased form that the table holds. */
// biome-ignore lint/suspicious/noExplicitAny: the request handler hands each route the values of its own table, never another's.
export type AnyRoute = Route<any>;

export interface Ask<T extends ParameterTable = ParameterTable> {
  snapshot: Snapshot;
  /** Directory time, milliseconds. */
  now: number;
  /** The path's UUID in lower case; empty on routes without one. */
  id: string;
  values: Values<T>;
  caller: Caller;
  gate: Gate;
  changes: ChangeReader;
  /** The newest snapshot, for answers that wait. */
  current(): Snapshot;
  /** Whether the caller has left: then nobody waits for the answer. */
  hasLeft(): boolean;
  /** Without a trailing slash. */
  publicUrl: string;
  feeds: Pick<FeedReader, 'list' | 'find'>;
  /** The parameters that were used, as sent. */
  sent: readonly (readonly [string, string])[];
  exports: ExportReader;
}

export type RouteOutcome =
  | {
      kind: 'data';
      /** What decides the bytes, for the ETag; null: the bytes themselves are hashed. */
      tag: string | null;
      body: () => Buffer;
      /** Directory time, ms, before which the same snapshot answers the same to the same address, whoever asks; absent: it may differ at once. */
      until?: number;
      /** Present on lists that can be paged: what the links are made of. */
      page?: { total: number; limit: number; offset: number };
      interpretations?: readonly Interpretation[];
    }
  | { kind: 'moved'; id: string }
  | { kind: 'problem'; problem: Problem };

/** Keeps a row's parameter types while it is written, and erases them in the table. */
export function defineRoute<T extends ParameterTable>(route: Route<T>): AnyRoute {
  return route;
}

/** What a lookup that found no published record answers: 301, 410 or 404 (decisions §2). */
export function absent(lookup: Exclude<RecordLookup, { found: 'published' }>, noun: string): RouteOutcome {
  if (lookup.found === 'merged') return { kind: 'moved', id: lookup.into };
  if (lookup.found === 'removed') return { kind: 'problem', problem: { code: 'gone', detail: `the ${noun} was removed` } };
  return { kind: 'problem', problem: { code: 'not_found', detail: `no ${noun} has this id` } };
}

/** Answers 503 where `answer` rejects with an `Unavailable`. Other errors pass. `what`: the words before "cannot be read". */
export function unlessUnavailable<T extends ParameterTable>(
  Unavailable: new (message: string) => Error,
  what: string,
  answer: (ask: Ask<T>) => Promise<RouteOutcome>,
): (ask: Ask<T>) => Promise<RouteOutcome> {
  const detail = `${what} cannot be read right now`;
  const problem = { code: 'dependency_unavailable', detail, members: { retryAfterSeconds: 1 } } as const;
  return async (ask) => {
    try {
      return await answer(ask);
    } catch (error) {
      if (error instanceof Unavailable) return { kind: 'problem', problem };
      throw error;
    }
  };
}

/** Where the API lives. */
export const API_PREFIX = '/api/v1';

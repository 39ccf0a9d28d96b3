/**
 * The store holds the SHA-256 of a session's token, never the token: somebody who reads a copy of the database cannot take a session over.
 * better-auth keeps tokens in the clear, so its adapter is wrapped: tokens are hashed on their way in and in every look-up.
 */

import { hash } from 'node:crypto';
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth/types';

/** The digest of a token, as it stands in `session.token`. */
export const digestToken = (token: string): string => hash('sha256', token, 'hex');

/** The same adapter. Whoever looks a session up by its token gets the token back; everybody else gets the digest. */
export function withTokenDigests(adapter: DBAdapter): DBAdapter {
  return {
    ...adapter,
    ...wrapQueries(adapter),
    transaction: (work) => adapter.transaction((trx) => work({ ...trx, ...wrapQueries(trx) })),
  };
}

function wrapQueries(adapter: DBTransactionAdapter): Omit<DBTransactionAdapter, 'id' | 'createSchema' | 'options'> {
  return {
    async create<T extends Record<string, unknown>, R = T>(query: Parameters<typeof adapter.create<T, R>>[0]): Promise<R> {
      const { token } = query.data as { token?: unknown };
      if (query.model !== SESSION || typeof token !== 'string') return adapter.create<T, R>(query);
      const row = await adapter.create<T, R>({ ...query, data: { ...query.data, token: digestToken(token) } });
      return { ...row, token };
    },
    findOne: async (query) => withToken(await adapter.findOne(digestWhere(query)), query),
    findMany: async <T>(query: Parameters<typeof adapter.findMany>[0]) =>
      (await adapter.findMany<T>(digestWhere(query))).map((row) => withToken(row, query)),
    count: (query) => adapter.count(digestWhere(query)),
    update: async (query) => withToken(await adapter.update(digestUpdate(query)), query),
    updateMany: (query) => adapter.updateMany(digestUpdate(query)),
    delete: (query) => adapter.delete(digestWhere(query)),
    deleteMany: (query) => adapter.deleteMany(digestWhere(query)),
    consumeOne: async (query) => withToken(await adapter.consumeOne(digestWhere(query)), query),
    incrementOne: async (query) => withToken(await adapter.incrementOne(digestWhere(query)), query),
  };
}

interface Query {
  model: string;
  where?: Where[] | undefined;
}

function digestWhere<Q extends Query>(query: Q): Q {
  if (query.model !== SESSION || !query.where) return query;
  return {
    ...query,
    where: query.where.map((each) => (each.field === TOKEN ? { ...each, value: digestValue(each.value) } : each)),
  };
}

function digestUpdate<Q extends Query & { update: Record<string, unknown> }>(query: Q): Q {
  const { update, model } = query;
  if (model !== SESSION || typeof update[TOKEN] !== 'string') return digestWhere(query);
  return { ...digestWhere(query), update: { ...update, [TOKEN]: digestToken(update[TOKEN]) } };
}

function digestValue(value: Where['value']): Where['value'] {
  return Array.isArray(value) ? value.map((each) => digestToken(String(each))) : digestToken(String(value));
}

/** Restores the token of a row that was found by it. */
function withToken<Row>(row: Row, { model, where = [] }: Query): Row {
  const digest = model === SESSION ? (row as { token?: unknown } | null)?.token : undefined;
  if (digest === undefined) return row;
  const asked = where.flatMap(({ field, value }) => (field === TOKEN ? [value].flat() : []));
  const token = asked.find((each) => digestToken(String(each)) === digest);
  return token === undefined ? row : { ...row, token };
}

const SESSION = 'session';
const TOKEN = 'token';

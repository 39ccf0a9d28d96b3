/**
 * A service that stops in order: a page that was asked for still has its database, also if its reader has left.
 * Both engines: a server has its own way to close connections.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openSite } from '../support/rigs/site.ts';

test('is no trouble with the database, whoever has left before the answer', async () => {
  const site = await openSite({ demo: false });
  const { cookie } = await site.signIn({ email: 'leaves@example.org', operator: true });
  const read = (signal: AbortSignal | null) => site.ask('/desk', { headers: { accept: 'text/html', cookie }, signal });
  expect((await read(null)).status).toBe(200);
  // The page waits for this transaction with its first query, and has more of them.
  const release = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const held = site.store.db.transaction().execute(async (trx) => {
    await sql`lock table session, account in access exclusive mode`.execute(trx);
    begun.resolve();
    await release.promise;
  });
  await begun.promise;
  const leaving = new AbortController();
  const left = Promise.all(Array.from({ length: 15 }, () => read(leaving.signal).catch(() => null)));
  await delay(200);
  leaving.abort();
  expect(new Set(await left)).toEqual(new Set([null]));
  const closed = site.close();
  await delay(200);
  release.resolve();
  await Promise.all([held, closed]);
  expect(site.logged().filter((line) => line.includes('destroyed'))).toEqual([]);
});

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { ROUTES } from '../../src/api/index.ts';
import { seedHundredKeys } from '../support/records/hundred-keys.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

let people = 0;
const person = (tier?: string): Promise<Person> => site.signIn({ email: `usage-${people++}@example.org`, ...(tier && { tier }) });

async function withKey(tier = 'growth') {
  const someone = await person(tier);
  const created = await createAccounts({ db: site.store.db, now: site.now }).createKey({ email: someone.email, name: 'shop' });
  if (!created.ok) throw new Error(created.detail);
  return { ...someone, keyId: created.id, plan: created.subscriptionId };
}

const read = async (who: Person, path: string) => {
  const answer = await site.ask(path, { headers: { cookie: who.cookie, accept: 'text/html' } });
  return { status: answer.status, text: await answer.text() };
};
/** Rows of usage that there are, and that statements have read so far. */
const countStored = async (): Promise<number> => {
  const { rows } = await sql<{ rows: number }>`
    select sum((xpath('/row/n/text()', query_to_xml('select count(*) as n from ' || relname, false, true, '')))[1]::text::int)::int as rows
    from pg_stat_user_tables where relname like 'usage%'`.execute(site.store.db);
  return rows[0]?.rows ?? 0;
};
const countRead = async (): Promise<number> => {
  await sql`select pg_stat_force_next_flush()`.execute(site.store.db);
  const { rows } = await sql<{ rows: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_user_tables where relname like 'usage%'`.execute(
    site.store.db,
  );
  return rows[0]?.rows ?? 0;
};

describe('the usage page', () => {
  test('of 100 keys over 365 days are on the page, a part at a time, and it reads the days that it shows', async () => {
    const who = await person('enterprise');
    const other = await person('enterprise');
    await seedHundredKeys(site.store.db, who.accountId, site.limitsNow());
    await seedHundredKeys(site.store.db, other.accountId, site.limitsNow(), 20);
    await sql`analyze`.execute(site.store.db);
    const stored = await countStored();
    expect(stored).toBeGreaterThan((100 + 20) * (365 + 3 * 89));
    for (const days of [7, 90]) {
      const before = await countRead();
      const { status, text } = await read(who, `/dashboard/usage?days=${days}`);
      const rowsRead = (await countRead()) - before;
      expect(status).toBe(200);
      expect(text).toContain('All 100 keys');
      expect(text.match(/href="[^"]*[?;&]key=/g)).toHaveLength(25);
      // A few rows of each key for each of these days, and the hours of two days; not the year, and not what others used.
      expect(rowsRead).toBeLessThan(100 * (5 * days + 48) + 5_000);
      expect(rowsRead).toBeLessThan(stored / 2);
    }
    const all = await read(who, '/dashboard/usage?days=90&keys=all');
    expect(all.text.match(/href="[^"]*[?;&]key=/g)).toHaveLength(100);
  });

  test('has shares that sum to 100, and none that is there is 0%', async () => {
    const { keyId, plan, ...who } = await withKey();
    const now = site.limitsNow();
    const day = new Date(now).toISOString().slice(0, 10);
    await site.store.db.insertInto('usage_day').values({ subscription_id: plan, day, requests: 500_729 }).execute();
    const hour = new Date(Math.floor(now / 3_600_000) * 3_600_000);
    const rows = [['/api/v1/events', 200_000], ['/api/v1/venues', 729], ['/api/v1/trending', 300_000]] as const; // biome-ignore format: one line
    for (const [endpoint, requests] of rows)
      await site.store.db.insertInto('usage_hour').values({ key_id: keyId, hour, endpoint, status: 200, requests }).execute();
    const { text } = await read(who, '/dashboard/usage?days=7');
    const table = text.slice(text.indexOf('>By endpoint</caption>'), text.indexOf('>By status</caption>'));
    expect([...table.matchAll(/>([^<]*%)</g)].map(([, share]) => share)).toEqual(['60%', '40%', '&lt;1%']);
  });

  test('every page counts the endpoints of a plan alike', async () => {
    const who = await withKey('growth');
    const keys = await read(who, '/dashboard/keys');
    const pricing = await read(who, '/pricing');
    const countsOf = (html: string) =>
      [...html.replaceAll(/<!--.*?-->|<\/?strong>/g, '').matchAll(/(\d+ of \d+) endpoints/g)].map(([, count]) => count);
    const counts = countsOf(pricing.text);
    expect(counts.map((count) => count?.split(' of ')[1])).toEqual(Array(3).fill(String(ROUTES.length)));
    expect(counts.at(-1)).toBe(`${ROUTES.length} of ${ROUTES.length}`);
    expect(countsOf(keys.text)).toEqual([counts[1]]);
  });
});

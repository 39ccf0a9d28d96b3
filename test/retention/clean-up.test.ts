// PostgreSQL is quicker.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { recordAudit } from '../../src/accounts/index.ts';
import { appendToList, type Database, listHead, prunedUpTo, readList, transact } from '../../src/store/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { cleanUpAt, DAY } from '../support/runs/clean-up.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const daysAgo = (days: number) => new Date(NOW - days * DAY);
const [A, B, C] = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-0000-7000-8000-000000000000`) as [string, string, string];

let test: TestStore;
let db: Kysely<Database>;
beforeEach(async () => {
  test = await openTestStore();
  db = test.store.db;
});
afterEach(() => test.dispose());

const change = (days: number, id: string | null, kind = 'scored') =>
  transact(db, (trx) => {
    const entry = { kind, entity: id === null ? 'city' : 'event', entity_id: id };
    return appendToList(trx, 'change', [entry], daysAgo(days));
  });
const audit = (days: number) => {
  const entry = { actor: { id: null, name: 'cli' }, action: 'key.create', subject: 'key', subjectId: String(days) };
  return recordAudit(db, entry, { now: () => daysAgo(days).getTime() });
};
const changes = async () => (await readList(db, 'change', 0, 1000)).map(({ seq }) => seq);

describe('changes', () => {
  it('of 90 days stay, and the last one of each record for ever, under the numbers that they had', async () => {
    await change(400, A, 'created'); // 1
    await change(399, B, 'created'); // 2: the last of B
    await change(300, null, 'updated'); // 3: of the city
    await change(120, A); // 4
    await change(91, C, 'created'); // 5
    await change(89, A, 'updated'); // 6: the last of A that is more than a score
    await change(10, A); // 7
    await change(1, C, 'updated'); // 8
    expect(await cleanUpAt(test.store, NOW, { rows: 2 })).toEqual({ change: 3 });
    expect(await changes()).toEqual([2, 3, 6, 7, 8]);
    expect(await prunedUpTo(db, 'change')).toBe(5);
    expect(await listHead(db, 'change')).toBe(8);
    expect(await change(0, B, 'updated')).toEqual({ first: 9, last: 9 });
    // Time goes on: what has a later change goes when it is old enough itself.
    await cleanUpAt(test.store, NOW + 85 * DAY, { rows: 2 });
    expect(await changes()).toEqual([2, 3, 6, 7, 8, 9]);
    await cleanUpAt(test.store, NOW + 500 * DAY);
    expect(await changes()).toEqual([3, 6, 7, 8, 9]);
  });

  it('that were made by a clock that ran ahead hold back those after them, and nothing else', async () => {
    await change(200, A);
    await change(-30, B);
    await change(199, A);
    await change(1, A);
    await cleanUpAt(test.store, NOW);
    expect(await changes()).toEqual([2, 3, 4]);
    await cleanUpAt(test.store, NOW + 130 * DAY);
    expect(await changes()).toEqual([2, 4]);
  });

  it('are the same in the end, wherever the clean-up was stopped', async () => {
    for (let number = 0; number < 40; number += 1) await change(200 - number, [A, B, C][number % 3] ?? A);
    const whole = [38, 39, 40];
    for (let statements = 1; ; statements += 1) {
      let left = statements;
      const mortal = db.withPlugin({
        transformQuery({ node }) {
          left -= 1;
          if (left < 0) throw new Error('killed');
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const before = await changes();
      await cleanUpAt({ db: mortal }, NOW, { rows: 7, batches: 1 });
      const after = await changes();
      expect(after).toEqual(before.filter((seq) => after.includes(seq)));
      expect(after).toEqual(expect.arrayContaining(whole));
      if (left > 0 && after.length === whole.length) break;
    }
    await cleanUpAt(test.store, NOW);
    expect(await changes()).toEqual(whole);
  });
});

it('access changes of 30 days stay', async () => {
  for (const days of [100, 31, 29, 0]) {
    await transact(db, (trx) => appendToList(trx, 'access_change', [{ subscription_id: A }], daysAgo(days)));
  }
  expect(await cleanUpAt(test.store, NOW, { rows: 1 })).toEqual({ access_change: 2 });
  expect((await readList(db, 'access_change', 0, 10)).map(({ seq }) => seq)).toEqual([3, 4]);
  expect(await prunedUpTo(db, 'access_change')).toBe(2);
});

it('the audit log of two years stays', async () => {
  for (const days of [731, 729, 0]) {
    await audit(days);
  }
  expect(await cleanUpAt(test.store, NOW)).toEqual({ audit: 1 });
  expect((await db.selectFrom('audit').select('subject_id').execute()).map(({ subject_id }) => subject_id).sort()).toEqual([
    '0',
    '729',
  ]);
});

describe('of an account', () => {
  const account = (id: string, days: number, verified: boolean) =>
    db
      .insertInto('account')
      .values({
        ...{
          id,
          email: `${id}@example.org`,
          email_lower: `${id}@example.org`,
          created_at: daysAgo(days),
          updated_at: daysAgo(days),
        },
        email_verified: verified,
        email_verified_at: verified ? daysAgo(days) : null,
      })
      .execute();

  it('usage stays for as long as somebody may ask for it', async () => {
    await account(A, 900, true);
    await db
      .insertInto('subscription')
      .values({ id: B, account_id: A, tier: 'growth', status: 'active', created_at: daysAgo(900) })
      .execute();
    const key = { id: 'abcdefghijkl', name: 'a', secret_hash: Buffer.alloc(32), last4: 'abcd', created_at: daysAgo(900) };
    await db
      .insertInto('api_key')
      .values({ ...key, subscription_id: B })
      .execute();
    const days = [0, 89, 90, 399, 400, 800];
    const dates = days.map((day) => daysAgo(day).toISOString().slice(0, 10));
    const of = { key_id: key.id, endpoint: '/api/v1/events', status: 200 };
    for (const day of dates) {
      await db.insertInto('usage_day').values({ subscription_id: B, day, requests: 1 }).execute();
      await db
        .insertInto('usage_detail')
        .values({ ...of, day, requests: 1 })
        .execute();
      const sums = { account_id: A, at: `${day}T00:00:00Z`, label: '', requests: 1, refused: 0 };
      await db
        .insertInto('usage_summary')
        .values({ ...sums, kind: 'endpoint' })
        .execute();
    }
    for (const hours of [1, 72, 73]) {
      const hour = new Date(NOW - hours * 3_600_000);
      await db.insertInto('usage_key_hour').values({ key_id: key.id, hour, requests: 1, refused: 0 }).execute();
      const sums = { account_id: A, at: hour, kind: 'hour', label: '', requests: 1, refused: 0 };
      await db.insertInto('usage_summary').values(sums).execute();
    }
    expect(await cleanUpAt(test.store, NOW, { rows: 3 })).toEqual({
      usage_day: 2,
      usage_detail: 4,
      usage_key_hour: 1,
      usage_summary: 4 + 1,
    });
    expect((await db.selectFrom('usage_day').select('day').orderBy('day').execute()).map(({ day }) => day)).toEqual(
      dates.slice(0, 4).toReversed(),
    );
    expect((await db.selectFrom('usage_detail').select('day').orderBy('day').execute()).map(({ day }) => day)).toEqual(
      dates.slice(0, 2).toReversed(),
    );
  });

  it('answers of a geocoder stay until a year after they expire', async () => {
    for (const days of [366, 364, -20]) {
      const question = `${days} Elder Lane`;
      await db
        .insertInto('geocoder_answer')
        .values({ service: 'a', question, expires_at: daysAgo(days) })
        .execute();
    }
    expect(await cleanUpAt(test.store, NOW)).toEqual({ geocoder_answer: 1 });
    const kept = await db.selectFrom('geocoder_answer').select('question').orderBy('question').execute();
    expect(kept.map(({ question }) => question)).toEqual(['-20 Elder Lane', '364 Elder Lane']);
  });

  it('notes of e-mails stay for 30 days, and so do e-mails that became files; journals of webhooks stay for 7', async () => {
    await account(A, 50, true);
    for (const [kind, days] of [['trial_3_days', 40], ['trial_ended', 20]] as const) // biome-ignore format: one line
      await db
        .insertInto('letter')
        .values({ account_id: A, kind, sent_at: daysAgo(days) })
        .execute();
    const { folder, remove } = temporaryFolder();
    mkdirSync(join(folder, 'mail'));
    for (const [name, days] of [
      ['old.eml', 31],
      ['young.eml', 29],
    ] as const) {
      // biome-ignore format: one line
      writeFileSync(join(folder, 'mail', name), 'x');
      utimesSync(join(folder, 'mail', name), daysAgo(days), daysAgo(days));
    }
    mkdirSync(join(folder, 'webhooks'));
    for (const [name, days] of [
      ['killed.jsonl', 8],
      ['running.jsonl', 6],
    ] as const) {
      writeFileSync(join(folder, 'webhooks', name), 'x');
      utimesSync(join(folder, 'webhooks', name), daysAgo(days), daysAgo(days));
    }
    expect(await cleanUpAt(test.store, NOW, { dataDir: folder })).toEqual({ letter: 1, 'webhooks/': 1, 'mail/': 1 });
    expect(readdirSync(join(folder, 'webhooks'))).toEqual(['running.jsonl']);
    expect((await db.selectFrom('letter').select('kind').execute()).map(({ kind }) => kind)).toEqual(['trial_ended']);
    expect(readdirSync(join(folder, 'mail'))).toEqual(['young.eml']);
    remove();
  });

  it('a sign-up that nobody confirmed goes after a week, with what was sent to it, and no other account', async () => {
    await account(A, 8, false);
    await account(B, 6, false);
    await account(C, 800, true);
    expect(await cleanUpAt(test.store, NOW)).toEqual({ account: 1 });
    expect((await db.selectFrom('account').select('id').orderBy('id').execute()).map(({ id }) => id)).toEqual([B, C]);
  });
});

it('no statement waits for writers of the lists or deletes more rows than it may', async () => {
  for (let number = 0; number < 30; number += 1) await change(200, A);
  for (let number = 0; number < 30; number += 1) await audit(900);
  const seen: { text: string; rows: number }[] = [];
  const watched = db.withPlugin({
    transformQuery({ node }) {
      seen.push({ text: JSON.stringify(node), rows: 0 });
      return node;
    },
    async transformResult({ result }) {
      const last = seen.at(-1);
      if (last) last.rows = Number(result.numAffectedRows ?? 0);
      return result;
    },
  });
  expect(await cleanUpAt({ db: watched }, NOW, { rows: 4 })).toEqual({ change: 29, audit: 30 });
  expect(seen.length).toBeGreaterThan(20);
  expect(seen.filter(({ text }) => text.includes('list_head'))).toEqual([]);
  expect(Math.max(...seen.map(({ rows }) => rows))).toBeLessThanOrEqual(4 + 1);
});

it('no statement deletes more rows than it may, also where the database takes the table for a small one', async () => {
  await audit(900);
  await sql`analyze audit`.execute(db);
  for (let number = 1; number < 30; number += 1) await audit(900);
  await db.connection().execute(async (one) => {
    // Then a subquery is asked again for each row, and skips what it has locked before.
    for (const way of ['hashjoin', 'mergejoin', 'hashagg', 'sort']) await sql.raw(`set enable_${way} = off`).execute(one);
    try {
      expect(await cleanUpAt({ db: one }, NOW, { rows: 4, batches: 1 })).toEqual({ audit: 4 });
    } finally {
      await sql`reset all`.execute(one);
    }
  });
});

it('a rule that fails is logged and stops no other', async () => {
  await change(200, A);
  await change(1, A);
  const { RETENTION } = await import('../../src/retention/index.ts');
  const broken = { ...RETENTION[0]!, name: 'broken', deleteSome: () => Promise.reject(new Error('no')) };
  expect(await cleanUpAt(test.store, NOW, { rules: [broken, ...RETENTION] })).toEqual({ change: 1 });
});

it('reads no large table as a whole', async () => {
  const own = await openTestStore('embedded');
  onTestFinished(own.dispose);
  const { db } = own.store;
  const [recent, many] = [daysAgo(1), sql`generate_series(1, 1500) as n`];
  await sql`insert into change (seq, at, kind, entity, entity_id) select n, ${recent}, 'scored', 'event', gen_random_uuid() from ${many}`.execute(
    db,
  );
  await sql`update list_head set seq = 1500 where list = 'change'`.execute(db);
  await sql`insert into audit (id, at, actor, action, subject) select gen_random_uuid(), ${recent}, 'cli', 'x', 'y' from ${many}`.execute(
    db,
  );
  await sql`insert into account (id, email, email_lower, created_at, updated_at, email_verified, email_verified_at)
    select gen_random_uuid(), n || '@example.org', n || '@example.org', ${recent}, ${recent}, true, ${recent} from ${many}`.execute(
    db,
  );
  await sql`insert into session (id, account_id, token, expires_at, created_at, updated_at)
    select gen_random_uuid(), id, encode(sha256(id::text::bytea), 'hex'), ${daysAgo(-9)}, ${recent}, ${recent} from account`.execute(
    db,
  );
  await sql`insert into subscription (id, account_id, tier, status, created_at) select id, id, 'growth', 'active', ${recent} from account`.execute(
    db,
  );
  await sql`insert into usage_day select id, ${recent}::date, 1 from subscription`.execute(db);
  await sql`insert into usage_summary select id, ${recent}, 'endpoint', 'x', 1, 0 from account`.execute(db);
  await sql`insert into api_key (id, subscription_id, name, secret_hash, last4, created_at)
    select right(replace(id::text, '-', ''), 12), id, 'a key', sha256(id::text::bytea), 'last', ${recent} from subscription`.execute(
    db,
  );
  await sql`insert into usage_detail select id, ${recent}::date, 'x', 200, 1 from api_key`.execute(db);
  await sql`insert into usage_key_hour select id, ${recent}, 1, 0 from api_key`.execute(db);
  await sql`insert into source (id, name, kind, created_at) values (${A}, 'a', 'json', now())`.execute(db);
  await sql`insert into record (id, source_id, kind, external_id, content_hash, listing, facts, night, starts_at, first_seen_at, last_seen_at)
    select gen_random_uuid(), ${A}, 'event', n::text, '', '{}', '{}', ${recent}::date, ${recent}, ${recent}, ${recent} from ${many}`.execute(
    db,
  );
  await sql`insert into run (id, source_id, kind, state, started_at, finished_at)
    select gen_random_uuid(), ${A}, 'ingest', 'done', ${recent}, ${recent} from ${many}`.execute(db);
  await sql`insert into run_record (run_id, record_id) select id, id from run`.execute(db);
  await sql`analyze`.execute(db);
  const scans = async (): Promise<Record<string, number>> => {
    await sql`select pg_stat_force_next_flush()`.execute(db);
    const { rows } = await sql<{ name: string; scans: number }>`
      select relname as name, seq_scan::int as scans from pg_stat_user_tables where n_live_tup >= 1500 order by relname`.execute(
      db,
    );
    return Object.fromEntries(rows.map(({ name, scans: count }) => [name, count]));
  };
  const before = await scans();
  expect(Object.keys(before)).toHaveLength(13);
  expect(await cleanUpAt(own.store, NOW)).toEqual({});
  expect(await scans()).toEqual(before);
});

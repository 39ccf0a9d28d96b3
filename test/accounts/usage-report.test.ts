// PostgreSQL is quicker.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanUpUsage, createUsageReports, type Gate, type UsageReports, usageCsv } from '../../src/accounts/index.ts';
import { connectionRefused, type GateRig, NOON, openGateRig } from '../support/rigs/gate.ts';
import { cleanUpAt } from '../support/runs/clean-up.ts';

const ADDRESS = '203.0.113.7';
const HEAD = 'date,key_id,key_name,endpoint,status,requests\r\n';
const NEVER_MS = 3_600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const EVENTS = '/api/v1/events';

let rig: GateRig;
let gate: Gate;
let reports: UsageReports;
beforeAll(async () => {
  rig = await openGateRig({ flushEveryMs: NEVER_MS, pollEveryMs: NEVER_MS });
});
afterAll(() => rig.dispose());
beforeEach(async () => {
  rig.time.directory = NOON;
  rig.time.limits = NOON;
  gate = await rig.openAnother();
  reports = reportsOf(gate);
});

const reportsOf = (through: Gate) => createUsageReports(rig.testStore.store.db, through, () => rig.time.limits);
const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const db = () => rig.testStore.store.db;

async function person(tier = 'growth') {
  const created = await rig.createKey(tier);
  const { account_id } = await db()
    .selectFrom('subscription')
    .select('account_id')
    .where('id', '=', created.subscriptionId)
    .executeTakeFirstOrThrow();
  return { ...created, accountId: account_id };
}

async function ask(key: string, endpoint: string, status: number, through = gate): Promise<boolean> {
  const verdict = await through.admit(key, ADDRESS);
  if (verdict.ok) verdict.recordOutcome(endpoint, status);
  return verdict.ok;
}

const lastWeek = (accountId: string) => ({ accountId, from: dateOf(rig.time.limits - 6 * DAY_MS), to: dateOf(rig.time.limits) });

async function tableOf(input: Parameters<typeof usageCsv>[1]): Promise<string> {
  let text = '';
  for await (const chunk of usageCsv(db(), input)) text += chunk;
  return text;
}

describe('the report', () => {
  it('shows days, hours, endpoints, statuses and keys, and what was refused beside them', async () => {
    const { key, id, accountId } = await person('starter');
    for (const status of [200, 200, 304, 404]) await ask(key, EVENTS, status);
    await ask(key, '/api/v1/*', 404);
    rig.pass(HOUR_MS);
    for (let request = 0; request < 63; request += 1) await ask(key, '/api/v1/venues/{id}', 200);
    const report = await reports.report(lastWeek(accountId));
    expect(report).toMatchObject({ requests: 65, refused: 3, unexplained: 0 });
    expect(report.days).toHaveLength(7);
    expect(report.days.at(-1)).toEqual({ date: '2026-11-21', requests: 65, refused: 3 });
    expect(report.hours).toHaveLength(48);
    expect(report.hours.slice(-2)).toEqual([
      { start: NOON, requests: 5, refused: 0 },
      { start: NOON + HOUR_MS, requests: 60, refused: 3 },
    ]);
    expect(report.endpoints).toEqual([
      { endpoint: '/api/v1/venues/{id}', requests: 60 },
      { endpoint: EVENTS, requests: 4 },
      { endpoint: '/api/v1/*', requests: 1 },
    ]);
    expect(report.statuses).toEqual([
      { status: 200, requests: 62 },
      { status: 304, requests: 1 },
      { status: 404, requests: 2 },
    ]);
    expect(report.keys).toEqual([{ keyId: id, requests: 65, refused: 3 }]);
  });

  it('is of one account alone', async () => {
    const mine = await person();
    const other = await person();
    await ask(mine.key, EVENTS, 200);
    const report = await reports.report(lastWeek(other.accountId));
    expect(report).toMatchObject({ requests: 0, refused: 0, unexplained: 0, endpoints: [], statuses: [], keys: [] });
    expect(await reports.nowOf(other.accountId, mine.subscriptionId)).toBeNull();
    expect([...(await reports.now(other.accountId)).keys()]).toEqual([other.subscriptionId]);
    const stolen = { ...lastWeek(other.accountId), keyId: mine.id };
    expect(await reports.report(stolen)).toMatchObject({ requests: 0, endpoints: [], statuses: [], keys: [] });
    expect(await tableOf(stolen)).toBe(HEAD);
  });

  it('is of one key when asked so, by the hour too after its hours were moved', async () => {
    const { key, id, accountId } = await person('starter');
    const rotated = await rig.accounts.rotateKey(id, '24h');
    if (!rotated.ok) throw new Error(rotated.detail);
    for (const status of [200, 404]) await ask(key, EVENTS, status);
    for (let request = 0; request < 60; request += 1) await ask(rotated.key, '/api/v1/venues', 200);
    const ofOld = { ...lastWeek(accountId), keyId: id };
    for (const hours of [0, 5]) {
      rig.pass(hours * HOUR_MS);
      await cleanUpUsage({ db: db(), now: () => rig.time.limits });
      const old = await reports.report(ofOld);
      expect(old).toMatchObject({ requests: 2, refused: 0, unexplained: 0, endpoints: [{ endpoint: EVENTS, requests: 2 }] });
      expect(old.statuses).toEqual([
        { status: 200, requests: 1 },
        { status: 404, requests: 1 },
      ]);
      expect(old.hours.at(-1 - hours)).toEqual({ start: NOON, requests: 2, refused: 0 });
      const young = await reports.report({ ...ofOld, keyId: rotated.id });
      expect(young).toMatchObject({ requests: 58, refused: 2, keys: [{ keyId: rotated.id, requests: 58, refused: 2 }] });
      expect(young.days.at(-1)).toMatchObject({ requests: 58, refused: 2 });
      expect(young.hours.at(-1 - hours)).toMatchObject({ requests: 58, refused: 2 });
      expect((await reports.report(lastWeek(accountId))).requests).toBe(60);
    }
    expect(await tableOf(ofOld)).toBe(
      `${HEAD}2026-11-21,${id},default,/api/v1/events,200,1\r\n2026-11-21,${id},default,/api/v1/events,404,1\r\n`,
    );
  });

  it('takes back what is given back, before it was written and after', async () => {
    const { key, accountId } = await person();
    await ask(key, EVENTS, 500);
    const late = await gate.admit(key, ADDRESS);
    await ask(key, EVENTS, 200);
    expect(await reports.report(lastWeek(accountId))).toMatchObject({ requests: 2, unexplained: 1 });
    if (late.ok) late.recordOutcome(EVENTS, 503);
    expect(await reports.report(lastWeek(accountId))).toMatchObject({ requests: 1, unexplained: 0 });
  });

  it('counts a request on the hour and day of its admission, however late it is answered', async () => {
    const { key, accountId } = await person();
    rig.pass(12 * HOUR_MS - 1);
    const verdict = await gate.admit(key, ADDRESS);
    rig.pass(2);
    if (verdict.ok) verdict.recordOutcome(EVENTS, 200);
    const { days, hours } = await reports.report(lastWeek(accountId));
    expect(days.slice(-2).map((day) => day.requests)).toEqual([1, 0]);
    expect(hours.slice(-2).map((hour) => hour.requests)).toEqual([1, 0]);
  });

  it('says what the headers say, also for subscriptions that this process has not met', async () => {
    const { key, subscriptionId, accountId } = await person();
    for (let request = 0; request < 7; request += 1) await ask(key, EVENTS, 200);
    await gate.close();
    const next = await rig.openAnother();
    const now = await reportsOf(next).nowOf(accountId, subscriptionId);
    expect(now?.allowance.day).toMatchObject({ limit: 10_000, used: 7, remaining: 9_993 });
    const verdict = await next.inspect(key, ADDRESS);
    expect(verdict.ok && verdict.allowance.day.used).toBe(7);
    expect((await reportsOf(next).report(lastWeek(accountId))).requests).toBe(7);
  });

  it('forecasts the end of the day’s requests from the pace of the last hour', async () => {
    const { key, subscriptionId, accountId } = await person('starter');
    const forecast = async () => {
      const now = await reports.nowOf(accountId, subscriptionId);
      return now && { lastHour: now.lastHour, endsAt: now.endsAt && now.endsAt - rig.time.limits };
    };
    expect(await forecast()).toEqual({ lastHour: 0, endsAt: null });
    for (let request = 0; request < 60; request += 1) await ask(key, EVENTS, 200);
    // 940 are left and twelve hours.
    expect(await forecast()).toEqual({ lastHour: 60, endsAt: null });
    rig.pass(60_000);
    for (let request = 0; request < 60; request += 1) await ask(key, EVENTS, 200);
    expect(await forecast()).toEqual({ lastHour: 120, endsAt: (880 / 120) * HOUR_MS });
    rig.pass(89 * 60_000);
    // Half of the hour before lies in the last 60 minutes.
    expect(await forecast()).toMatchObject({ lastHour: 60 });
  });
});

describe('the finer figures', () => {
  it('add up to the exact days whatever happens, and to nothing twice (twin)', async () => {
    const act = fc.oneof(
      {
        weight: 12,
        arbitrary: fc.record({
          kind: fc.constant('ask' as const),
          who: fc.nat({ max: 2 }),
          endpoint: fc.constantFrom(EVENTS, '/api/v1/venues', '/api/v1/*'),
          status: fc.constantFrom(200, 304, 400, 499, 500, 503),
        }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.constantFrom(1, 59, 600) }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('flush' as const), fault: fc.constantFrom('none', 'down', 'deaf') }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('tidy' as const) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
        rig.time.limits = NOON;
        const people = [await person('starter'), await person('growth'), await person('enterprise')];
        let running = await rig.openAnother();
        const twin: { who: number; day: string; endpoint: string; status: number }[] = [];
        for (const each of acts) {
          if (each.kind === 'ask') {
            const { who, endpoint, status } = each;
            const admitted = await ask(people[who]!.key, endpoint, status, running);
            if (admitted && status < 500) twin.push({ who, day: dateOf(rig.time.limits), endpoint, status });
          }
          if (each.kind === 'pass') rig.pass(each.minutes * 60_000);
          if (each.kind === 'tidy') await cleanUpUsage({ db: db(), now: () => rig.time.limits });
          if (each.kind === 'flush') {
            rig.faults.error = each.fault === 'down' ? connectionRefused() : null;
            rig.faults.deaf = each.fault === 'deaf';
            await running.flush().catch(() => undefined);
            rig.faults.error = null;
            rig.faults.deaf = false;
          }
          if (each.kind === 'restart') {
            await running.close();
            running = await rig.openAnother();
          }
        }
        for (const [who, { accountId, subscriptionId }] of people.entries()) {
          const mine = twin.filter((request) => request.who === who);
          const input = { accountId, from: dateOf(NOON), to: dateOf(rig.time.limits) };
          const report = await reportsOf(running).report(input);
          // Each has one key: what it was used for is all there is.
          const ofKey = await reportsOf(running).report({ ...input, keyId: people[who]!.id });
          expect(ofKey).toEqual(report);
          const tally = (read: (request: (typeof mine)[number]) => string) =>
            Object.fromEntries(Object.entries(Object.groupBy(mine, read)).map(([value, list]) => [value, list?.length]));
          expect(report.unexplained).toBe(0);
          expect(report.requests).toBe(mine.length);
          expect(entries(report.endpoints.map((row) => [row.endpoint, row.requests]))).toEqual(tally(({ endpoint }) => endpoint));
          expect(entries(report.statuses.map((row) => [String(row.status), row.requests]))).toEqual(
            tally(({ status }) => String(status)),
          );
          expect(entries(report.days.flatMap((row) => (row.requests ? [[row.date, row.requests] as const] : [])))).toEqual(
            tally(({ day }) => day),
          );
          expect(report.keys.reduce((sum, row) => sum + row.requests, 0)).toBe(mine.length);
          const written = await db()
            .selectFrom('usage_day')
            .select(['day', 'requests'])
            .where('subscription_id', '=', subscriptionId)
            .execute();
          expect(entries(written.map(({ day, requests }) => [day, Number(requests)]))).toEqual(tally(({ day }) => day));
        }
        await running.close();
      }),
      {
        numRuns: 12,
        examples: [
          [
            [
              { kind: 'ask', who: 0, endpoint: EVENTS, status: 200 },
              { kind: 'flush', fault: 'down' },
              { kind: 'ask', who: 0, endpoint: EVENTS, status: 200 },
              { kind: 'flush', fault: 'deaf' },
              { kind: 'ask', who: 0, endpoint: EVENTS, status: 200 },
            ],
          ],
        ],
      },
    );
  });

  it('move from hours to days when they are over and go after ninety days, while the exact days stay', async () => {
    const { key, id, subscriptionId, accountId } = await person();
    for (let request = 0; request < 3; request += 1) await ask(key, EVENTS, 200);
    await gate.flush();
    const tidy = async () => {
      await cleanUpUsage({ db: db(), now: () => rig.time.limits });
      await cleanUpAt(rig.testStore.store, rig.time.limits);
    };
    const kept = async () => ({
      hours: (await db().selectFrom('usage_hour').select('requests').where('key_id', '=', id).execute()).length,
      days: (await db().selectFrom('usage_detail').select('requests').where('key_id', '=', id).execute()).length,
    });
    rig.pass(HOUR_MS);
    await tidy();
    expect(await kept()).toEqual({ hours: 1, days: 0 });
    rig.pass(3 * DAY_MS - HOUR_MS);
    await Promise.all([tidy(), tidy(), tidy()]);
    expect(await kept()).toEqual({ hours: 0, days: 1 });
    expect(await reports.report(lastWeek(accountId))).toMatchObject({ requests: 3, unexplained: 0 });
    rig.pass(87 * DAY_MS);
    await tidy();
    expect(await kept()).toEqual({ hours: 0, days: 0 });
    const days = await db().selectFrom('usage_day').select('requests').where('subscription_id', '=', subscriptionId).execute();
    expect(days).toEqual([{ requests: '3' }]);
    const whole = { accountId, from: '2026-11-01', to: '2026-11-30' };
    expect(await reports.report(whole)).toMatchObject({ requests: 3, unexplained: 3 });
  });
});

describe('the table for other programs', () => {
  it('has a row for each day, key, endpoint and status, and no formula in it', async () => {
    const { key, id, accountId } = await person();
    await db().updateTable('api_key').set({ name: '=HYPERLINK("http://evil.example","x")' }).where('id', '=', id).execute();
    for (const status of [200, 200, 404]) await ask(key, EVENTS, status);
    await gate.flush();
    const name = `"'=HYPERLINK(""http://evil.example"",""x"")"`;
    expect(await tableOf(lastWeek(accountId))).toBe(
      [
        'date,key_id,key_name,endpoint,status,requests',
        `2026-11-21,${id},${name},/api/v1/events,200,2`,
        `2026-11-21,${id},${name},/api/v1/events,404,1`,
        '',
      ].join('\r\n'),
    );
  });
});

const entries = (list: readonly (readonly [string, number])[]) => Object.fromEntries(list);

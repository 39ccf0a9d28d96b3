import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listAudit, recordAudit } from '../../src/accounts/index.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';

const ADA = { id: '018f0000-0000-7000-8000-00000000000a', name: 'ada@example.org' };
const NOON = Date.UTC(2026, 10, 21, 12);
let testStore: TestStore;
let time = NOON;
const now = () => time;

beforeAll(async () => {
  testStore = await openTestStore();
});
afterAll(() => testStore.dispose());
beforeEach(async () => {
  time = NOON;
  await testStore.store.db.deleteFrom('audit').execute();
});

const record = (action: string, more: Partial<Parameters<typeof recordAudit>[1]> = {}) =>
  recordAudit(testStore.store.db, { actor: ADA, action, subject: action.split('.')[0] ?? '', ...more }, { now });
const list = (query: Parameters<typeof listAudit>[1] = {}) => listAudit(testStore.store.db, query);

describe('the audit log', () => {
  it('tells what was done, by whom, to what, when and from where', async () => {
    await record('key.create', { subjectId: 'abc', detail: { tier: 'growth', names: ['a', null] }, address: '203.0.113.9' });
    const { rows, next } = await list();
    expect(rows).toEqual([
      {
        id: expect.any(String),
        at: new Date(NOON),
        actorId: ADA.id,
        actor: ADA.name,
        action: 'key.create',
        subject: 'key',
        subjectId: 'abc',
        detail: { tier: 'growth', names: ['a', null] },
        address: '203.0.113.9',
      },
    ]);
    expect(next).toBeNull();
  });

  it('is found by actor, by action, by subject', async () => {
    await record('key.create', { subjectId: 'a' });
    await record('key.revoke', { subjectId: 'b' });
    await record('venue.merge', { actor: { id: null, name: 'command line' } });
    const actions = async (query: Parameters<typeof listAudit>[1]) => (await list(query)).rows.map(({ action }) => action).sort();
    expect(await actions({ actor: ADA.id })).toEqual(['key.create', 'key.revoke']);
    expect(await actions({ actor: 'command line' })).toEqual(['venue.merge']);
    expect(await actions({ action: 'key.' })).toEqual(['key.create', 'key.revoke']);
    expect(await actions({ action: 'key.revoke' })).toEqual(['key.revoke']);
    expect(await actions({ action: 'key.rev' })).toEqual([]);
    expect(await actions({ subject: 'key', subjectId: 'a' })).toEqual(['key.create']);
  });

  it('is read in pages, latest first, each row once, also while the clock stands', async () => {
    for (let n = 0; n < 7; n++) {
      if (n === 4) time += 1;
      await record('event.hide', { subjectId: String(n) });
    }
    const seen: (string | null)[] = [];
    let after: string | null = null;
    do {
      const page = await list({ limit: 3, after });
      seen.push(...page.rows.map(({ subjectId }) => subjectId));
      after = page.next;
    } while (after);
    expect(seen.sort()).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    expect((await list({ limit: 1 })).rows[0]?.at).toEqual(new Date(NOON + 1));
  });

  it.each(['', 'x', '2026-11-21T12:00:00.000Z', "2026-11-21T12:00:00.000Z_'; drop table audit", '_'])(
    'takes %j for no cursor',
    async (after) => {
      await record('key.create');
      expect((await list({ after })).rows).toHaveLength(1);
    },
  );

  it.each(['live', 'test'])('never holds a secret, whatever a caller gives: %s keys', async (mode) => {
    const key = `mq_${mode}_AAAAbbbb1234_${'s'.repeat(49)}`;
    await record('key.create', {
      subjectId: key,
      detail: { note: `made ${key}`, password: 'canary', deep: { resetToken: 'canary', clientSecret: 'canary', keyId: 'kept' } },
    });
    const text = JSON.stringify((await list()).rows);
    expect(text).not.toMatch(/canary|sssss/);
    expect(text).toContain(`mq_${mode}_AAAAbbbb1234_…`);
    expect(text).toContain('kept');
  });

  it('keeps text that a store or a page might stumble over', async () => {
    await record('account.rename', { detail: { to: '<script>alert(1)</script>\0\u202E' } });
    expect((await list()).rows[0]?.detail).toEqual({ to: '<script>alert(1)</script>\uFFFD\u202E' });
  });
});

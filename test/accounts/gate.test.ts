import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AccessVerdict, type Counters, createLimiter } from '../../src/accounts/index.ts';
import { generateKey } from '../../src/accounts/keys/key-format.ts';
import { countQueries } from '../support/database/counted-queries.ts';
import { unknownKey } from '../support/records/unknown-keys.ts';
import { type GateRig, openGateRig, outcome } from '../support/rigs/gate.ts';

const ADDRESS = '203.0.113.7';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let rig: GateRig;
beforeAll(async () => {
  rig = await openGateRig({ flushEveryMs: 3_600_000 });
});
afterAll(() => rig.dispose());
// Each test has a minute of its own.
beforeEach(() => rig.pass(61_000));

const ask = async (key: string | string[] | undefined, address = ADDRESS) => outcome(await rig.gate.admit(key, address));

describe('the header', () => {
  it('is missing when absent or empty, and refused without a question to the store when it cannot be a key', async () => {
    const { key } = await rig.createKey();
    const { queries } = rig.faults;
    expect(await ask(undefined)).toBe('missing');
    expect(await ask('')).toBe('missing');
    const broken = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    const hopeless = [' ', 'x', broken, `${key} `, ` ${key}`, `${key}, ${key}`, `${key},`, key.toLowerCase(), 'k'.repeat(10_240)];
    for (const header of [...hopeless, [key], [key, key], []]) {
      const verdict = rig.gate.admit(header, ADDRESS);
      expect(verdict).toEqual({ ok: false, reason: 'invalid' });
    }
    // The list of changes is looked at meanwhile, but no key was asked for: the verdicts above came at once.
    expect(rig.faults.queries).toBe(queries);
  });

  it('admits a known key at once, without the store', async () => {
    const { key, id, subscriptionId } = await rig.createKey('growth');
    expect(await ask(key)).toBe('active');
    const { queries } = rig.faults;
    const verdict = rig.gate.admit(key, ADDRESS);
    expect(verdict).toMatchObject({ ok: true, caller: { keyId: id, subscriptionId, tier: 'growth' }, accessStatus: 'active' });
    expect(verdict).toMatchObject({ allowance: { day: { used: 2, limit: 10_000 }, minute: { used: 2, limit: 300 } } });
    expect(rig.faults.queries).toBe(queries);
  });

  it('refuses a well-formed key that nobody was given, and admits a new one at once', async () => {
    const { key } = generateKey();
    expect(await ask(key)).toBe('invalid');
    expect(await ask(key)).toBe('invalid');
    const created = await rig.createKey();
    expect(await ask(created.key)).toBe('active');
  });

  it('tells the state of a key only to who has the whole secret', async () => {
    const { key, id } = await rig.createKey();
    await rig.accounts.revokeKey(id);
    expect(await ask(key)).toBe('revoked');
    const guessed = generateKey().key;
    const sameId = guessed.replace(/^mq_live_.{12}/, `mq_live_${id}`);
    expect(await ask(sameId)).toBe('invalid');
  });
});

describe('rotation', () => {
  it('lets both keys live on one count during the grace, and ends the old one at the millisecond', async () => {
    const old = await rig.createKey('growth');
    const rotated = await rig.accounts.rotateKey(old.id, '1h');
    if (!rotated.ok) throw new Error(rotated.detail);
    expect(rotated.subscriptionId).toBe(old.subscriptionId);
    for (const [index, key] of [old.key, rotated.key, old.key, rotated.key].entries()) {
      expect(await rig.gate.admit(key, ADDRESS)).toMatchObject({ ok: true, allowance: { day: { used: index + 1 } } });
    }
    rig.time.directory += HOUR_MS - 1;
    expect(await ask(old.key)).toBe('active');
    rig.time.directory += 1;
    expect(await ask(old.key)).toBe('expired');
    expect(await ask(rotated.key)).toBe('active');
  });

  it('ends the old key at once when no grace is wanted', async () => {
    const old = await rig.createKey();
    expect(await ask(old.key)).toBe('active');
    expect(await rig.accounts.rotateKey(old.id, '0')).toMatchObject({ ok: true });
    await expect.poll(() => ask(old.key)).toBe('expired');
  });

  it('gives no request more, however often a key is rotated', async () => {
    let { key, id } = await rig.createKey();
    let admitted = 0;
    for (let rotation = 0; rotation < 20; rotation += 1) {
      for (let request = 0; request < 10; request += 1) if ((await ask(key)) === 'active') admitted += 1;
      const rotated = await rig.accounts.rotateKey(id, '0');
      if (!rotated.ok) throw new Error(rotated.detail);
      ({ key, id } = rotated);
    }
    expect(admitted).toBe(60);
  });
});

describe('the access status', () => {
  it('ends a trial at its very millisecond, 7 days after the address was verified', async () => {
    const verified = rig.time.directory;
    await rig.accounts.createAccount({ email: 'trial@example.org' });
    rig.pass(HOUR_MS);
    const created = await rig.accounts.createKey({ email: 'trial@example.org' });
    if (!created.ok) throw new Error(created.detail);
    rig.pass(verified + 7 * DAY_MS - 1 - rig.time.directory);
    expect(await ask(created.key)).toBe('active');
    rig.pass(1);
    expect(await ask(created.key)).toBe('trial_expired');
    expect(outcome(await rig.gate.inspect(created.key, ADDRESS))).toBe('trial_expired');
    await rig.operator.setTier(created.id, 'growth');
    await expect.poll(() => ask(created.key)).toBe('active');
  });

  it('still counts the requests of an account that may not call', async () => {
    const { key, email } = await rig.createKey();
    await rig.operator.suspend(email);
    expect(await rig.gate.admit(key, ADDRESS)).toMatchObject({
      accessStatus: 'subscription_inactive',
      allowance: { day: { used: 1 } },
    });
    await rig.operator.resume(email);
    await expect.poll(() => ask(key)).toBe('active');
  });
});

describe('limits', () => {
  it('refuses over the minute with an honest wait, and takes nothing from the day for it', async () => {
    const { key } = await rig.createKey();
    for (let request = 0; request < 60; request += 1) expect(await ask(key)).toBe('active');
    rig.pass(12_300);
    const refused = await rig.gate.admit(key, ADDRESS);
    expect(refused).toMatchObject({ ok: false, reason: 'minute', retryAfterSeconds: 48, allowance: { day: { used: 60 } } });
    rig.pass(48_000);
    expect(await ask(key)).toBe('active');
  });

  it('refuses over the day without filling the minute, and shows the allowance still', async () => {
    const { key } = await rig.createKey();
    for (let request = 0; request < 1_000; request += 1) {
      if (request % 60 === 0) rig.pass(60_000);
      expect(await ask(key)).toBe('active');
    }
    rig.pass(60_000);
    const refused = await rig.gate.admit(key, ADDRESS);
    expect(refused).toMatchObject({ reason: 'day', allowance: { day: { remaining: 0 }, minute: { used: 0 } } });
    expect(await rig.gate.inspect(key, ADDRESS)).toMatchObject({ ok: true, allowance: { day: { used: 1_000 } } });
    if (refused.ok || refused.reason !== 'day') throw new Error('not refused');
    rig.pass(refused.retryAfterSeconds * 1_000);
    expect(await rig.gate.admit(key, ADDRESS)).toMatchObject({ ok: true, allowance: { day: { used: 1 } } });
  });

  it('gives a request back once', async () => {
    const { key } = await rig.createKey();
    await ask(key);
    const verdict = await rig.gate.admit(key, ADDRESS);
    if (!verdict.ok) throw new Error('refused');
    verdict.recordOutcome('', 500);
    verdict.recordOutcome('', 500);
    expect(await rig.gate.inspect(key, ADDRESS)).toMatchObject({ allowance: { day: { used: 1 }, minute: { used: 1 } } });
  });

  it('counts nothing for an inspection', async () => {
    const { key } = await rig.createKey();
    for (let look = 0; look < 100; look += 1) {
      const verdict = await rig.gate.inspect(key, ADDRESS);
      expect(verdict).toMatchObject({ ok: true, allowance: { day: { used: 0 }, minute: { used: 0, freesInSeconds: 0 } } });
      if (verdict.ok) verdict.recordOutcome('', 500);
    }
  });

  it('follows a downgrade made in mid-minute at once', async () => {
    const { key, id } = await rig.createKey('growth');
    for (let request = 0; request < 200; request += 1) await ask(key);
    await rig.operator.setTier(id, 'starter');
    await expect.poll(() => ask(key)).toBe('minute');
    const used = { day: { limit: 1_000 }, minute: { limit: 60, remaining: 0 } };
    expect(await rig.gate.admit(key, ADDRESS)).toMatchObject({ reason: 'minute', allowance: used, caller: { tier: 'starter' } });
    rig.pass(60_000);
    expect(await ask(key)).toBe('active');
  });
});

describe('counters elsewhere', () => {
  it('may take their time: a verdict then comes as a promise', async () => {
    const { key } = await rig.createKey();
    const inProcess = createLimiter({ monotonic: () => rig.time.monotonic, wall: () => rig.time.limits });
    const counters: Counters = {
      decide: async (subscriptionId, tier) => inProcess.decide(subscriptionId, tier),
      peek: async (subscriptionId, tier) => inProcess.peek(subscriptionId, tier),
      restore: async (subscriptionId, day, requests) => inProcess.restore(subscriptionId, day, requests),
      refund: async () => {
        throw new Error('counters out of reach');
      },
      releaseIdle: () => {},
    };
    const gate = await rig.openAnother({ counters });
    for (let request = 0; request < 60; request += 1) expect(await gate.admit(key, ADDRESS)).toMatchObject({ ok: true });
    const pending = gate.admit(key, ADDRESS);
    expect(pending).toBeInstanceOf(Promise);
    expect(await pending).toMatchObject({ ok: false, reason: 'minute', allowance: { day: { used: 60 } } });
    expect(await gate.inspect(key, ADDRESS)).toMatchObject({ ok: true, allowance: { minute: { used: 60 } } });
    rig.pass(60_000);
    const verdict = await gate.admit(key, ADDRESS);
    if (!verdict.ok) throw new Error('refused');
    verdict.recordOutcome('', 500);
    await expect.poll(() => rig.log.join('')).toContain('counters out of reach');
  });
});

describe('unknown keys', () => {
  it('are slowed down after 600 failures in a minute, while genuine keys on the same address pass', async () => {
    const { key } = await rig.createKey();
    const another = await rig.createKey();
    for (let failure = 0; failure < 600; failure += 1) expect(await ask('nonsense')).toBe('invalid');
    expect(await rig.gate.admit('nonsense', ADDRESS)).toEqual({ ok: false, reason: 'unknown_key_limit', retryAfterSeconds: 60 });
    expect(await rig.gate.inspect(generateKey().key, ADDRESS)).toMatchObject({ reason: 'unknown_key_limit' });
    expect(await ask('nonsense', '203.0.113.8')).toBe('invalid');
    expect(await ask(key)).toBe('active');
    expect(await ask(another.key)).toBe('active');
    expect(await ask(undefined)).toBe('missing');
    rig.pass(60_000);
    expect(await ask('nonsense')).toBe('invalid');
  });

  it('count for the network of their address: an IPv6 /64, and the /48 with ten times as many', async () => {
    const failFrom = async (address: string, times: number) => {
      for (let failure = 0; failure < times; failure += 1) expect(await ask('nonsense', address)).toBe('invalid');
    };
    await failFrom('2001:db8:7:1::1', 600);
    expect(await ask('nonsense', '2001:db8:7:1:ffff::2')).toBe('unknown_key_limit');
    for (let subnet = 2; subnet <= 10; subnet += 1) await failFrom(`2001:db8:7:${subnet}::1`, 600);
    expect(await ask('nonsense', '2001:db8:7:11::1')).toBe('unknown_key_limit');
    expect(await ask('nonsense', '2001:db8:8::1')).toBe('invalid');
    expect(await ask('nonsense', '::ffff:203.0.113.7')).toBe('invalid');
    expect(await ask((await rig.createKey()).key, '2001:db8:7:1::1')).toBe('active');
  });

  it('cost the store nothing, a million from one address, and no valid key waits for them', async () => {
    const { db, asked } = countQueries(rig.testStore.store.db, /^select .*api_key/s);
    const commitWatcher = rig.testStore.store.createCommitWatcher();
    const gate = await rig.openAnother({ db, commitWatcher, pollEveryMs: 1_000 });
    const known = await rig.createKey('enterprise');
    const made = await Promise.all(Array.from({ length: 10 }, () => rig.createKey()));
    expect(outcome(await gate.admit(known.key, ADDRESS))).toBe('active');
    // Sees that eleven keys are new.
    expect(outcome(await gate.admit(unknownKey(0), '198.51.100.9'))).toBe('invalid');
    const before = asked();
    const seen: Record<string, number> = {};
    const note = (verdict: AccessVerdict) => {
      seen[outcome(verdict)] = (seen[outcome(verdict)] ?? 0) + 1;
    };
    for (let number = 0; number < 1_000_000; number += 1_000) {
      const verdicts = Array.from({ length: 1_000 }, (_, index) => gate.admit(unknownKey(number + index), ADDRESS));
      if (number % 2_000 === 0) expect(gate.admit(known.key, ADDRESS)).toMatchObject({ ok: true });
      // Where a server's commits cannot be counted, the crowd waits together for one question about changes.
      for (const verdict of verdicts) note(verdict instanceof Promise ? await verdict : verdict);
      if (number % 100_000 > 0) continue;
      // One that this gate has never met.
      const { key } = made[number / 100_000] ?? known;
      expect(outcome(await gate.admit(key, ADDRESS))).toBe('active');
      rig.pass(100);
    }
    expect(seen).toEqual({ invalid: 600, unknown_key_limit: 999_400 });
    // The ten keys of our own.
    expect(asked() - before).toBe(10);
  });

  it('that were made a moment ago are let in, from an address over its failures, on another process', async () => {
    const gate = await rig.openAnother({ pollEveryMs: 3_600_000 });
    for (let failure = 0; failure < 601; failure += 1) await gate.admit('nonsense', ADDRESS);
    expect(outcome(await gate.admit(unknownKey(1), ADDRESS))).toBe('unknown_key_limit');
    for (let made = 0; made < 5; made += 1) {
      const { key } = await rig.createKey();
      expect(outcome(await gate.admit(key, ADDRESS))).toBe('active');
    }
  });

  it('that wait for the store leave places to other addresses and connections', async () => {
    const gate = await rig.openAnother({ pollEveryMs: 3_600_000 });
    const { key } = await rig.createKey();
    expect(outcome(await gate.admit(key, ADDRESS))).toBe('active');
    const fresh = await rig.createKey();
    const held = Promise.withResolvers<void>();
    rig.faults.hold = held.promise;
    try {
      const crowd = (address: string, connection: object | undefined, times: number) =>
        Array.from({ length: times }, (_, number) => gate.admit(unknownKey(number), address, connection));
      const connection = {};
      const ofOneConnection = crowd('198.51.100.1', connection, 101);
      expect(ofOneConnection.at(-1)).toMatchObject({ reason: 'crowded' });
      const ofOneAddress = crowd('198.51.100.1', undefined, 1_000);
      expect(ofOneAddress.at(-1)).toMatchObject({ ok: false });
      expect(ofOneAddress.filter((verdict) => verdict instanceof Promise)).toHaveLength(900);
      const elsewhere = gate.admit(fresh.key, '198.51.100.2');
      expect(elsewhere).toBeInstanceOf(Promise);
      expect(gate.admit(key, '198.51.100.1', connection)).toMatchObject({ ok: true });
      rig.faults.hold = null;
      held.resolve();
      expect(outcome(await elsewhere)).toBe('active');
      const answers = (await Promise.all([...ofOneConnection, ...ofOneAddress])).map(outcome);
      expect([...new Set(answers)].sort()).toEqual(['crowded', 'invalid', 'unknown_key_limit']);
    } finally {
      rig.faults.hold = null;
      held.resolve();
    }
  });
});

describe('secrets', () => {
  it('enter neither the log nor the store', async () => {
    const { key } = await rig.createKey();
    await ask(key);
    await ask(`${key}x`);
    await rig.gate.flush();
    const secret = key.slice(21, 64);
    expect(rig.log.join('')).not.toContain(secret);
    const { db } = rig.testStore.store;
    const tables = await Promise.all([
      db.selectFrom('api_key').selectAll().execute(),
      db.selectFrom('access_change').selectAll().execute(),
      db.selectFrom('subscription').selectAll().execute(),
    ]);
    const rows = JSON.stringify(tables);
    expect(rows).not.toContain(secret);
    const columns = Object.keys(tables[0][0]!);
    expect(columns.filter((name) => /secret|key|hash|digest/.test(name))).toEqual(['secret_hash']);
  });
});

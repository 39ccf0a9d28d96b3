import { hash } from 'node:crypto';
import { type CompiledQuery, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { openGate } from '../../src/accounts/index.ts';
import { generateKey } from '../../src/accounts/keys/key-format.ts';
import { createLog } from '../../src/log.ts';
import type { Database } from '../../src/store/index.ts';
import { outcome } from '../support/rigs/gate.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const SAMPLES = 2_000;
/** The usual bound of leakage tests: beyond it, two sets of times are told apart with near certainty. */
const MAX_T = 4.5;
/** Share of the time below which a difference is where the texts lie in memory, and not what the gate does with them. */
const MAX_SHARE = 0.03;

/** An id, then a secret: the same two on every call. */
const fixed = (id: number, secret: number) => generateKey((size) => new Uint8Array(size).fill(size > 20 ? secret : id));
const KNOWN = { active: 1, revoked: 2, expired: 3 } as const;
const UNKNOWN_ID = 4;

// Tried again, because other work on the machine may fall upon one kind more than upon another.
test('keys with a wrong secret take the same time whether their id is unknown, active, revoked or expired', {
  retry: 3,
}, async () => {
  const gate = await openGate({
    db: answeringDatabase(),
    clocks: { directory: () => NOW, limits: () => NOW },
    monotonic: () => 0,
    log: createLog('silent'),
    pollEveryMs: 3_600_000,
    flushEveryMs: 3_600_000,
  });
  const genuine = Object.values(KNOWN).map((id) => fixed(id, 9).key);
  expect(await Promise.all(genuine.map(async (key) => outcome(await gate.admit(key, '203.0.113.7'))))).toEqual(
    Object.keys(KNOWN),
  );

  let samples = 0;
  const timesOf = async (guesses: readonly string[]): Promise<number[][]> => {
    const times: number[][] = guesses.map(() => []);
    for (let sample = 0; sample < SAMPLES * guesses.length; sample += 1) {
      // Whatever one decision leaves behind for the next must fall upon all alike.
      const kind = Math.floor(Math.random() * guesses.length);
      samples += 1;
      const begun = process.hrtime.bigint();
      // From an address of its own: none is slowed down for its failures.
      const verdict = await gate.admit(guesses[kind]!, `10.${samples >> 16}.${(samples >> 8) & 0xff}.${samples & 0xff}`);
      times[kind]!.push(Number(process.hrtime.bigint() - begun));
      expect(verdict.ok).toBe(false);
    }
    return times.map(quickest);
  };

  const guesses = [UNKNOWN_ID, ...Object.values(KNOWN)].map((id) => fixed(id, 8).key);
  const [unknown = [], ...others] = await timesOf(guesses);
  for (const other of others) {
    if (Math.abs(mean(unknown) - mean(other)) < MAX_SHARE * mean(unknown)) continue;
    expect(Math.abs(welchT(unknown, other))).toBeLessThan(MAX_T);
  }
  // What is no key by its letters never comes to the store: the measure must see that.
  const [guess = [], nonsense = []] = await timesOf([guesses[0]!, guesses[0]!.replace(/.$/, '_')]);
  expect(Math.abs(welchT(guess, nonsense))).toBeGreaterThan(10 * MAX_T);
  expect(mean(guess) - mean(nonsense)).toBeGreaterThan(10 * MAX_SHARE * mean(guess));
  await gate.close();
});

/** Without the tail, in which the machine speaks and not the code. */
const quickest = (times: number[]): number[] => times.toSorted((a, b) => a - b).slice(0, Math.floor(times.length * 0.8));

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Square of the error of the mean. */
function errorOf(values: number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1) / values.length;
}

const welchT = (left: number[], right: number[]): number =>
  (mean(left) - mean(right)) / Math.sqrt(errorOf(left) + errorOf(right));

/** A store of three keys that answers at once, so that the time is the gate's own. */
function answeringDatabase(): Kysely<Database> {
  const rows = new Map(
    Object.entries(KNOWN).map(([state, id]) => {
      const { key, publicId } = fixed(id, 9);
      const secretHash = hash('sha256', key, 'buffer');
      const row = {
        keyId: publicId,
        secretHash,
        expiresAt: state === 'expired' ? new Date(NOW - 1) : null,
        revokedAt: state === 'revoked' ? new Date(NOW - 1) : null,
        subscriptionId: state,
        accountId: 'account',
        tier: 'starter',
        status: 'active',
        trialEndsAt: null,
        accountStatus: 'active',
        requests: null,
        asOf: '0',
      };
      return [secretHash.toString('hex'), row];
    }),
  );
  const executeQuery = async ({ sql, parameters }: CompiledQuery) => {
    if (sql.includes('string_agg'))
      return { rows: [{ all: Buffer.concat([...rows.values()].map(({ secretHash }) => secretHash.subarray(0, 6))) }] };
    if (sql.includes('request_minute')) return { rows: [] };
    if (!sql.includes('api_key')) return { rows: [{ seq: '0' }] };
    const digests = parameters.find((value): value is Buffer[] => Array.isArray(value)) ?? [];
    return { rows: digests.flatMap((digest) => rows.get(digest.toString('hex')) ?? []) };
  };
  const connection = { executeQuery, streamQuery: () => Promise.reject(new Error('not asked for')) };
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection as never,
        beginTransaction: async () => {},
        commitTransaction: async () => {},
        rollbackTransaction: async () => {},
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
    },
  });
}

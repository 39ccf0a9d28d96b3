// One engine is enough: nothing here needs a database.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRedisPlace } from '../../../src/redis-place.ts';
import { freePort } from '../../support/network/free-port.ts';
import { withOwnClock } from '../../support/processes/own-clock.ts';
import {
  askRedis,
  createTestLedger,
  HAS_REDIS,
  noonClock,
  openLimits,
  startRedis,
  type TestRedis,
} from '../../support/rigs/redis.ts';
import { until } from '../../support/runs/patience.ts';

describe('REDIS_URL', () => {
  it.each([
    ['redis://localhost', { kind: 'single', nodes: [{ host: 'localhost', port: 6379 }], db: 0, isTls: false }],
    ['rediss://me:p%40ss@cache.example:7000/2', { username: 'me', password: 'p@ss', db: 2, isTls: true }],
    ['redis://:secret@[::1]:6380', { nodes: [{ host: '::1', port: 6380 }], username: null, password: 'secret' }],
    [
      'redis+sentinel://:secret@one,two:26380/mymaster/1?sentinel_password=other',
      {
        ...{ kind: 'sentinel', primary: 'mymaster', db: 1, password: 'secret', sentinelPassword: 'other' },
        nodes: [
          { host: 'one', port: 26_379 },
          { host: 'two', port: 26_380 },
        ],
      },
    ],
    [
      'rediss+cluster://a:1,b:2',
      {
        kind: 'cluster',
        isTls: true,
        nodes: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
        ],
      },
    ],
  ])('%s names a place', (text, expected) => {
    expect(parseRedisPlace(text)).toMatchObject(expected);
  });

  it.each([
    ['http://localhost', 'must be an address'],
    ['redis://', 'must be an address'],
    ['redis://one,two', 'several servers'],
    ['redis://host:99999', 'host or host:port'],
    ['redis://host/zero', 'number of a database'],
    ['redis+sentinel://host', 'must name the primary'],
    ['redis+cluster://host/1', 'clusters have only one'],
    ['redis://user:secret@host?timeout=1', 'has "timeout"'],
  ])('%s is rejected: %s', (text, reason) => {
    const found = parseRedisPlace(text);
    expect(found).toContain(reason);
    expect(found).not.toContain('secret');
  });
});

describe.skipIf(!HAS_REDIS)('limits are shared', () => {
  it('through a cluster: each subscription stands on one of its nodes', async () => {
    const nodes = await Promise.all([0, 1, 2].map(() => startRedis(['--cluster-enabled', 'yes'])));
    try {
      await formCluster(nodes);
      const limits = await openLimits(`redis+cluster://127.0.0.1:${nodes[0]?.port},127.0.0.1:${nodes[1]?.port}`);
      const counters = limits.openCounters({
        readUse: createTestLedger().readUse,
        processes: () => ({ count: 1, place: 0 }),
        wall: noonClock,
      });
      // The same ones each time: of ids by chance, one node in a hundred runs would have none.
      const subscriptions = Array.from({ length: 12 }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`);
      const decisions = await Promise.all(
        subscriptions.flatMap((id) => Array.from({ length: 70 }, async () => counters.decide(id, 'starter'))),
      );
      expect(decisions.filter(({ ok }) => ok)).toHaveLength(12 * 60);
      expect(limits.figures()).toMatchObject({ isShared: true, aloneDecisions: 0 });
      for (const node of nodes) expect(Number((await node.ask('DBSIZE')).slice(1))).toBeGreaterThan(0);
      limits.close();
    } finally {
      for (const node of nodes) await node.close();
    }
  });

  it('through sentinels: after the primary died, its replica goes on, and no request is forgotten', async () => {
    const primary = await startRedis();
    const replica = await startRedis(['--replicaof', '127.0.0.1', String(primary.port)]);
    const sentinel = await startSentinel(primary.port);
    try {
      await until(async () => {
        const replicas = await sentinel.ask('SENTINEL REPLICAS mymaster');
        if (!replicas.includes(String(replica.port))) throw new Error(replicas);
      });
      const limits = await openLimits(`redis+sentinel://127.0.0.1:${sentinel.port}/mymaster`);
      const ledger = createTestLedger();
      const counters = limits.openCounters({
        readUse: ledger.readUse,
        processes: () => ({ count: 1, place: 0 }),
        wall: noonClock,
      });
      const id = randomUUID();
      const ask = async (times: number) => {
        let admitted = 0;
        for (let index = 0; index < times; index += 1) admitted += (await counters.decide(id, 'starter')).ok ? 1 : 0;
        ledger.count(id, admitted);
        return admitted;
      };
      expect(await ask(20)).toBe(20);
      await primary.kill();
      expect(await ask(20)).toBe(20);
      await until(() => expect(limits.figures().isShared).toBe(true));
      expect(await ask(100)).toBe(20);
      expect(await counters.peek(id, 'starter')).toMatchObject({ day: { used: 60 }, minute: { used: 60 } });
      expect(Number((await replica.ask('DBSIZE')).slice(1))).toBeGreaterThan(0);
      limits.close();
    } finally {
      await sentinel.close();
      await replica.close();
      await primary.close();
    }
  });
});

/** All slots, in equal parts. */
async function formCluster(nodes: readonly TestRedis[]): Promise<void> {
  for (const [index, node] of nodes.entries()) {
    const [first, next] = [index, index + 1].map((at) => Math.floor((SLOTS * at) / nodes.length)) as [number, number];
    await node.ask(`CLUSTER ADDSLOTSRANGE ${first} ${next - 1}`);
    await node.ask(`CLUSTER MEET 127.0.0.1 ${nodes[0]?.port}`);
  }
  for (const node of nodes) {
    await until(async () => {
      const info = await node.ask('CLUSTER INFO');
      if (!info.includes('cluster_state:ok') || !info.includes(`cluster_known_nodes:${nodes.length}`)) throw new Error(info);
    });
  }
}

async function startSentinel(primaryPort: number) {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-sentinel-'));
  const port = await freePort();
  const settings = [
    `port ${port}`,
    `dir ${folder}`,
    `sentinel monitor mymaster 127.0.0.1 ${primaryPort} 1`,
    'sentinel down-after-milliseconds mymaster 500',
    'sentinel failover-timeout mymaster 3000',
  ];
  writeFileSync(join(folder, 'sentinel.conf'), `${settings.join('\n')}\n`);
  const words = [join(folder, 'sentinel.conf'), '--sentinel'];
  const child: ChildProcess = spawn('redis-server', words, { stdio: 'ignore', env: withOwnClock() });
  const ended = once(child, 'exit');
  const killOnExit = () => child.kill('SIGKILL');
  process.on('exit', killOnExit);
  const ask = (command: string) => askRedis(port, command);
  await until(() => ask('PING'));
  return {
    port,
    ask,
    async close() {
      process.off('exit', killOnExit);
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const SLOTS = 16_384;

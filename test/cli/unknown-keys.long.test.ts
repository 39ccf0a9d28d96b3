import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/processes/child-process.ts';
import { flood } from '../support/records/unknown-keys.ts';
import { ask, type DemoService, marquee, startDemoService } from '../support/rigs/service.ts';

describe('a service that one address floods with keys that nobody owns', () => {
  let service: DemoService;
  beforeAll(async () => {
    service = await startDemoService();
  });
  afterAll(async () => {
    await service?.stop();
  });

  it('answers every request with a valid key of the same address, sooner than the flood', async () => {
    // More at once than all places of requests that wait.
    const attack = flood(service.url, { connections: 60, inFlight: 50 });
    try {
      const answers = () => attack.waits.length;
      await eventually(async () => answers() > 6_000);
      const waits: number[] = [];
      const statuses = new Set<number>();
      for (let request = 0; request < 60; request += 1) {
        const before = answers();
        statuses.add((await ask(service, '/events?limit=3', service.keys.enterprise)).status);
        waits.push(answers() - before);
      }
      expect([...statuses]).toEqual([200]);
      expect(median(waits)).toBeLessThan(median(attack.waits) / 2);

      // Never used: this process has it in no memory.
      await marquee(['account', 'create', '--email', 'new@marquee.example', '--tier', 'starter'], service.settings);
      const { stdout } = await marquee(['key', 'create', '--account', 'new@marquee.example'], service.settings);
      expect((await ask(service, '/events', stdout.trim())).status).toBe(200);

      expect(Object.keys(attack.statuses).sort()).toEqual(['401', '429']);
      // The minute may pass on a slow machine, and let 600 more be told that their key is unknown.
      expect(attack.statuses['401']).toBeGreaterThanOrEqual(600);
      expect(attack.statuses['401']).toBeLessThan(answers() / 2);
      expect(attack.withoutWait()).toBe(0);
    } finally {
      attack.stop();
    }
  });
});

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

import { expect, it } from 'vitest';
import { type EndpointHealth, judge } from '../../src/webhooks/delivery/outcomes.ts';

const healthy = (): EndpointHealth => ({
  id: 'one',
  failures: 0,
  failingSince: null,
  concurrency: 8,
  openUntil: null,
  lastAttemptAt: null,
});
const random = () => 0.5;

function attempt(health: EndpointHealth, { at, end, status, retryAfterMs = null }: Answered) {
  const outcome = status < 300 ? ('delivered' as const) : ('failed' as const);
  const result = { status, outcome, retryAfterMs } as unknown as Parameters<typeof judge>[1]['result'];
  return judge(health, { deliveryId: 'd', messageId: 'm', type: 'event.created', number: 1, at, result }, end, random);
}

interface Answered {
  at: number;
  end: number;
  status: number;
  retryAfterMs?: number | null;
}

it('requests that fail together pause an endpoint once, for 30 seconds; the next failure pauses it for longer', () => {
  const health = healthy();
  for (let n = 0; n < 8; n += 1) attempt(health, { at: 1_000, end: 2_000 + n, status: 500 });
  expect(health).toMatchObject({ failures: 5, openUntil: 32_004 });
  attempt(health, { at: 40_000, end: 40_010, status: 500 });
  expect(health).toMatchObject({ failures: 6, openUntil: 100_010 });
});

it('a request that succeeds after others were told to wait does not end their pause', () => {
  const health = healthy();
  attempt(health, { at: 1_000, end: 2_000, status: 429, retryAfterMs: 3_600_000 });
  attempt(health, { at: 1_000, end: 3_000, status: 200 });
  expect(health.openUntil).toBe(3_602_000);
  attempt(health, { at: 3_700_000, end: 3_700_010, status: 200 });
  expect(health).toMatchObject({ failures: 0, openUntil: null });
});

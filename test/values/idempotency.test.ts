import { expect, test } from 'vitest';
import { createIdempotency } from '../../src/values/idempotency.ts';

/** Work that tells how often it ran. */
function counted(): () => Promise<number> {
  let runs = 0;
  return async () => ++runs;
}

test('what is sent again gets the first outcome, until it is forgotten', async () => {
  let now = 0;
  const once = createIdempotency({ now: () => now, rememberedMs: 1_000 });
  const [work, other] = [counted(), counted()];
  expect(await Promise.all([once('form', work), once('form', work), once('another form', other)])).toEqual([1, 1, 1]);
  now = 999;
  expect(await once('form', work)).toBe(1);
  now = 1_000;
  expect(await once('form', work)).toBe(2);
});

test('work that throws, and an outcome that is not final, may be sent again', async () => {
  const once = createIdempotency({ now: () => 0, rememberedMs: 1_000 });
  const fail = () => Promise.reject(new Error('the store is away'));
  await expect(once('form', fail)).rejects.toThrow('the store is away');
  const work = counted();
  const isFinal = (runs: number) => runs === 2;
  expect(await once('form', work, isFinal)).toBe(1);
  expect(await once('form', work, isFinal)).toBe(2);
  expect(await once('form', work, isFinal)).toBe(2);
});

test('the oldest outcome is forgotten when there are too many', async () => {
  const once = createIdempotency({ now: () => 0, rememberedMs: 1_000, maxRemembered: 2 });
  const works = new Map(['a', 'b', 'c', 'd'].map((key) => [key, counted()]));
  const send = (key: string) => once(key, works.get(key) ?? counted());
  for (const key of ['a', 'b', 'c', 'd']) expect(await send(key)).toBe(1);
  expect(await send('d')).toBe(1);
  expect(await send('a')).toBe(2);
});

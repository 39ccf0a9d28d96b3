import { expect, it } from 'vitest';
import { createSpareTime } from '../../src/server/connections/spare-time.ts';

const nextRound = () => new Promise<void>((resolve) => setImmediate(resolve));

it('does some work in each round, in the order in which it came, and leaves the rest to the next', async () => {
  let now = 0;
  const spareTime = createSpareTime(() => now);
  const done: number[] = [];
  for (let number = 0; number < 10; number += 1) {
    spareTime.add(() => {
      done.push(number);
      now += 0.5;
    });
  }
  expect(done).toEqual([]);
  await nextRound();
  expect(done).toEqual([0, 1, 2, 3]);
  await nextRound();
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  spareTime.add(() => done.push(10));
  await nextRound();
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

import { expect, test } from 'vitest';
import { createHeadWatch } from '../../src/search/read-changes.ts';
import { ALWAYS_LOOK } from '../../src/store/index.ts';

test('whoever waits for changes again at once is woken again', async () => {
  const waitBeyond = createHeadWatch(async () => ({ epoch: '', history: '', head: 5, citySeq: 0 }), ALWAYS_LOOK);
  const woken: number[] = [];
  for (const seq of [1, 2, 3]) {
    await waitBeyond(seq, 60_000, () => false);
    woken.push(seq);
  }
  expect(woken).toEqual([1, 2, 3]);
});

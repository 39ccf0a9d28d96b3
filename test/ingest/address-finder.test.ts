/** Addresses that the desk looks for, one at a time. */

import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createAddressFinder } from '../../src/ingest/index.ts';

const FOUND = { latitude: 40.02, longitude: -73.95, precision: 'exact' as const };
/** Ends only when it is told to, as a process does. */
async function endless(_address: string, signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw new Error('ended without a report');
}

it('one address is looked for at a time, and a few wait', async () => {
  const asked: string[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const finder = createAddressFinder(async (address) => {
    asked.push(address);
    await opened;
    return FOUND;
  });
  const found = ['1', '2', '3', '4'].map((address) => finder.find(address));
  await expect(finder.find('5')).rejects.toThrow('other addresses are being looked for; try again soon');
  expect(asked).toEqual(['1']);
  open();
  expect(await Promise.all(found)).toEqual([FOUND, FOUND, FOUND, FOUND]);
  expect(asked).toEqual(['1', '2', '3', '4']);
  expect(await finder.find('6')).toEqual(FOUND);
});

it('what takes too long is ended, and says so', async () => {
  await expect(createAddressFinder(endless, 1).find('31 Quarry St')).rejects.toThrow('"31 Quarry St" was not found in time');
});

it('what is looked for and what waits ends at the close', async () => {
  const finder = createAddressFinder(endless);
  const found = Promise.allSettled([finder.find('1'), finder.find('2')]);
  finder.close();
  expect((await found).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

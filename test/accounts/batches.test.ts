import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type BatchOptions, createBatches } from '../../src/accounts/usage/batches.ts';

type Read = BatchOptions<string>['read'];
const PATIENCE = { size: 3, waiting: 10, deadlineMs: 10_000, mostHanging: 2 };
const answerAll: Read = async (keys) => new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, `<${key}>`]));

/** A reader that answers when told, and what it was asked. */
function heldReader() {
  const batches: { keys: string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const read: Read = (keys) =>
    new Promise((resolve, reject) => {
      batches.push({ keys, answer: () => answerAll(keys).then(resolve), fail: reject });
    });
  return { batches, read };
}

describe('questions in batches', () => {
  it('asks the first at once and those that came meanwhile together, so many at a time', async () => {
    const { batches, read } = heldReader();
    const ask = createBatches({ ...PATIENCE, read });
    const answers = Promise.all(['a', 'b', 'unknown', 'c', 'd'].map(ask));
    expect(batches.map(({ keys }) => keys)).toEqual([['a']]);
    for (let turn = 0; turn < 3; turn += 1) {
      batches[turn]!.answer();
      await delay(0);
    }
    expect(batches.map(({ keys }) => keys)).toEqual([['a'], ['b', 'unknown', 'c'], ['d']]);
    expect(await answers).toEqual(['<a>', '<b>', null, '<c>', '<d>']);
  });

  it('shares one answer among equal questions that wait, but never one from a read begun before', async () => {
    const { batches, read } = heldReader();
    const ask = createBatches({ ...PATIENCE, read });
    const answers = [ask('a'), ask('a'), ask('a')];
    batches[0]!.answer();
    await answers[0];
    await delay(0);
    batches[1]!.answer();
    expect(await Promise.all(answers)).toEqual(['<a>', '<a>', '<a>']);
    expect(batches.map(({ keys }) => keys)).toEqual([['a'], ['a']]);
  });

  it('does not ask what has become known while it waited', async () => {
    const { batches, read } = heldReader();
    const known = new Map<string, string>();
    const ask = createBatches({ ...PATIENCE, read, known: (key) => known.get(key) });
    const answers = ['a', 'a', 'b', 'c', 'd', 'e'].map(ask);
    known.set('a', 'known');
    known.set('c', 'known too');
    batches[0]!.answer();
    await answers[0];
    await delay(0);
    batches[1]!.answer();
    expect(await Promise.all(answers)).toEqual(['<a>', 'known', '<b>', 'known too', '<d>', '<e>']);
    expect(batches.map(({ keys }) => keys)).toEqual([['a'], ['b', 'd', 'e']]);
  });

  it('refuses when too many wait', async () => {
    const { batches, read } = heldReader();
    const ask = createBatches({ ...PATIENCE, read });
    const accepted = Array.from({ length: 11 }, (_, index) => ask(`key ${index}`));
    await expect(ask('one more')).rejects.toMatchObject({ code: 'crowded' });
    for (let turn = 0; turn < 5; turn += 1) {
      batches[turn]?.answer();
      await delay(0);
    }
    expect((await Promise.all(accepted)).at(-1)).toBe('<key 10>');
  });

  it('tells all of a batch that failed, and asks anew afterwards', async () => {
    const { batches, read } = heldReader();
    const ask = createBatches({ ...PATIENCE, read });
    const first = ask('a');
    batches[0]!.fail(new Error('no database'));
    await expect(first).rejects.toThrow('no database');
    const second = ask('a');
    batches[1]!.answer();
    expect(await second).toBe('<a>');
  });

  it('gives up a read that hangs, and asks no more while too many hang', async () => {
    const { batches, read } = heldReader();
    const ask = createBatches({ ...PATIENCE, deadlineMs: 5, read });
    for (const key of ['a', 'b']) await expect(ask(key)).rejects.toMatchObject({ code: 'deadline' });
    await expect(ask('c')).rejects.toMatchObject({ code: 'deadline' });
    expect(batches).toHaveLength(2);
    batches[0]!.answer();
    await delay(0);
    const answer = ask('c');
    batches[2]!.answer();
    expect(await answer).toBe('<c>');
  });
});

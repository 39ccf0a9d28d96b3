import { expect, test } from 'vitest';
import { createWorkTurns } from '../../src/web/server/work-turns.ts';

test('pieces of work that are asked for at once come in their order, with a turn of the event loop between (K15)', async () => {
  const takeTurn = createWorkTurns();
  const told: string[] = [];
  let turns = 0;
  const count = () => {
    turns += 1;
    if (told.length < 5) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    Array.from({ length: 5 }, async (_, piece) => {
      await takeTurn();
      told.push(`${piece} in turn ${turns}`);
    }),
  );
  const inTurns = told.map((line) => Number(line.split(' ').at(-1)));
  expect(told.map((line) => line[0])).toEqual(['0', '1', '2', '3', '4']);
  expect(new Set(inTurns).size).toBe(5);
});

test('who comes alone does not wait, before or after a crowd', async () => {
  const takeTurn = createWorkTurns();
  for (let round = 0; round < 3; round += 1) {
    let isElsewhere = false;
    setImmediate(() => {
      isElsewhere = true;
    });
    await takeTurn();
    expect(isElsewhere).toBe(false);
    await Promise.all([takeTurn(), takeTurn()]);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
  }
});

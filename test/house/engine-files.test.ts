import { expect, it } from 'vitest';
import { filesLeftOut, filesOfBoth, filesWithoutEngine, SAMPLES } from '../support/runs/engine-files.ts';
import { files } from './source-tree.ts';

it('a second engine runs every test file that asks for a database, by itself or through what it imports, unless one engine is enough for it', () => {
  const without = filesWithoutEngine();
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  const both = tests.filter((file) => !without.includes(file));
  for (const file of [
    'store/transact',
    'web/desk-oversight',
    'accounts/gate',
    'api/changes',
    'ingest/source-jobs',
    'exports/service.long',
  ])
    expect(both).toContain(`test/${file}.test.ts`);
  for (const file of ['search/geo', 'values/loopback', 'providers/openagenda', 'web/every-page'])
    expect(without).toContain(`test/${file}.test.ts`);
  expect(both.length).toBeGreaterThan(tests.length / 4);
});

it('a file is left out by one of two engines at most, and never where its engine is the only one', () => {
  expect(filesLeftOut({ engine: 'embedded', hasServer: false })).toEqual([]);
  const leftToServer = filesLeftOut({ engine: 'embedded', hasServer: true });
  expect(leftToServer).toContain('test/backup/scheduled.long.test.ts');
  for (const turn of [undefined, 0, 1, 1234])
    for (const file of filesLeftOut({ engine: 'postgres', hasServer: true, turn })) expect(leftToServer).not.toContain(file);
});

it('files whose subject is the engine run on both in every turn, and each other file on the quicker engine, and once in all turns on the other', () => {
  const both = filesOfBoth();
  for (const file of ['store/lease', 'backup/moment.long', 'cli/migrate', 'status/minutes', 'webhooks/two-workers'])
    expect(both).toContain(`test/${file}.test.ts`);
  const turnsOn = (engine: string) => {
    const skipped = Array.from({ length: SAMPLES }, (_, turn) => filesLeftOut({ engine, hasServer: true, turn }));
    return (file: string) => skipped.filter((left) => !left.includes(file)).length;
  };
  const [embedded, postgres] = [turnsOn('embedded'), turnsOn('postgres')];
  for (const file of both) expect([file, embedded(file), postgres(file)]).toEqual([file, SAMPLES, SAMPLES]);
  const left = new Set(['embedded', 'postgres'].flatMap((engine) => filesLeftOut({ engine, hasServer: true })).concat(both));
  const onEither = files.filter((file) => file.endsWith('.test.ts') && !left.has(file));
  const turns = onEither.map((file) => [embedded(file), postgres(file)].sort((a, b) => a - b));
  expect(turns.filter(([other, own]) => other !== 1 || own !== SAMPLES)).toEqual([]);
  expect(onEither.filter((file) => postgres(file) === SAMPLES).length).toBeGreaterThan(10);
  expect(onEither.filter((file) => embedded(file) === SAMPLES).length).toBeGreaterThan(30);
});

import { expect, it } from 'vitest';
import { files, read } from './source-tree.ts';

const EXPORTED_TYPE = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

it('the exported types of src have names that occur once', () => {
  const filesOf = new Map<string, string[]>();
  for (const file of files.filter((each) => /^src\/.*\.tsx?$/.test(each)))
    for (const [, name = ''] of read(file).matchAll(EXPORTED_TYPE)) filesOf.set(name, [...(filesOf.get(name) ?? []), file]);
  expect(filesOf.size).toBeGreaterThan(500);
  expect([...filesOf].filter(([, places]) => places.length > 1)).toEqual([]);
});

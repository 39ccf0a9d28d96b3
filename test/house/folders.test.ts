import { describe, expect, it } from 'vitest';
import { findFolderCycles, importsOfSiblings } from './folder-cycles.ts';
import { files, importsOf, read } from './source-tree.ts';

const sources = files.filter((file) => file.startsWith('src/') && /\.(?:tsx?|css)$/.test(file));
const code = sources.filter((file) => !file.endsWith('.css'));
/** Of files in the same room; `rooms.test.ts` has the others. */
const imports = code
  .flatMap(importsOf)
  .filter(({ from, to }) => to.split('/').length > 2 && from.split('/')[1] === to.split('/')[1]);

describe('the folders of src', () => {
  it('are seen at all', () => {
    expect(new Set(sources.map((file) => file.slice(0, file.lastIndexOf('/')))).size).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(500);
    expect([...importsOfSiblings(imports).values()].reduce((sum, targets) => sum + targets.size, 0)).toBeGreaterThan(30);
  });

  it('import each other without a cycle, type imports included', () => {
    expect(findFolderCycles(imports)).toEqual([]);
  });

  it('of the pages load the server half in their routes alone', () => {
    const routes = new Set([...read('src/web/routes.ts').matchAll(/'([^']+\.tsx?)'/g)].map(([, page = '']) => `src/web/${page}`));
    expect(routes.size).toBeGreaterThan(40);
    const components = /^src\/web\/(?:design|pages|dashboard|desk)\//;
    const wrong = imports.filter(
      ({ from, to }) => components.test(from) && to.startsWith('src/web/server/') && !routes.has(from),
    );
    expect(wrong).toEqual([]);
  });
});

describe('the search for folder cycles', () => {
  const draw = (...lines: string[]) =>
    lines.map((line) => {
      const [from = '', to = ''] = line.split(' → ');
      return { from, to };
    });
  const oneWay = draw('src/a/x/one.ts → src/a/y/two.ts', 'src/a/y/two.ts → src/a/z/deep/three.ts');

  it('finds none where imports go one way', () => {
    expect(importsOfSiblings(oneWay).size).toBe(2);
    expect(findFolderCycles(oneWay)).toEqual([]);
  });

  it('finds a cycle of two folders, though no two files import each other', () => {
    const back = 'src/a/y/four.ts → src/a/x/five.ts';
    expect(findFolderCycles([...oneWay, ...draw(back)])).toEqual([['src/a/x/one.ts → src/a/y/two.ts', back]]);
  });

  it('finds a cycle over three folders', () => {
    const back = 'src/a/z/six.ts → src/a/x/five.ts';
    expect(findFolderCycles([...oneWay, ...draw(back)])).toEqual([
      ['src/a/x/one.ts → src/a/y/two.ts', 'src/a/y/two.ts → src/a/z/deep/three.ts', back],
    ]);
  });

  it('passes over loose files, which belong to no sibling folder', () => {
    expect(findFolderCycles(draw('src/a/x/one.ts → src/a/loose.ts', 'src/a/loose.ts → src/a/x/two.ts'))).toEqual([]);
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compile, compileSources } from '../../release/compile-sources.ts';
import { findReachable } from '../../release/reachable-modules.ts';
import { files, read } from '../house/source-tree.ts';

const folder = mkdtempSync(join(tmpdir(), 'marquee-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe('compiling for a package', () => {
  it('leaves every name of the sources on its line and in its column', () => {
    const sources = files.filter((file) => /^src\/(?:search|accounts)\/.*\.ts$/.test(file));
    expect(sources.length).toBeGreaterThan(50);
    for (const file of sources) {
      const source = read(file).split('\n');
      const compiled = compile(read(file)).split('\n');
      expect(compiled).toHaveLength(source.length);
      for (const [index, line] of compiled.entries()) {
        const moved = [...line.matchAll(/\bfunction \w+|\bconst \w+/g)].filter(
          ({ 0: name, index: column }) => source[index]?.slice(column, column + name.length) !== name,
        );
        expect(moved.map(String), `${file}:${index + 1}`).toEqual([]);
      }
    }
  });

  it('leads imports, threads and type imports to compiled modules, and packages to themselves', () => {
    const source = [
      "import type { A } from './a.ts';",
      "import { b } from '../b.ts';",
      "import { c } from 'c.ts';",
      "const thread = new URL('./thread.ts', import.meta.url);",
    ].join('\n');
    expect(compile(source)).toBe(
      [
        '',
        "import { b } from '../b.js';",
        "import { c } from 'c.ts';",
        "const thread = new URL('./thread.js', import.meta.url);",
      ].join('\n'),
    );
  });

  it('copies what is no code, and leaves out what only builds the pages', () => {
    for (const path of ['from/a.ts', 'from/page.tsx', 'from/page.css', 'from/b/one.sql']) write(path, '');
    compileSources(join(folder, 'from'), join(folder, 'into'));
    expect(findReachable(folder, ['into/a.js']).modules.size).toBe(1);
    expect(() => read(join('..', folder, 'into/page.css'))).toThrow();
  });
});

describe('the sources', () => {
  it('are compiled to names that no other file has', () => {
    const sources = files.filter((file) => /^src\/.*\.(?:ts|js)$/.test(file));
    expect(sources.some((file) => file.endsWith('.js'))).toBe(true);
    const names = sources.map((file) => file.replace(/\.ts$/, '.js'));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

describe('the modules of a package', () => {
  it('are those that the entry reaches by imports, threads and names of the pages', () => {
    write('src/cli.js', "import { a, b as c } from 'one';\nimport two, { d } from 'two';\nimport('./late.js');");
    write('src/late.js', "new URL('./thread.js', import.meta.url); import * as three from 'three'; import 'node:fs';");
    write('src/thread.js', "export { e } from 'one';");
    write('src/page.js', '');
    write('src/lonely.js', "import { never } from 'never';");
    write('pages/server/index.js', 'import{x}from"#service/page.ts";');
    const { modules, packages } = findReachable(folder, ['src/cli.js', 'pages/server/index.js']);
    expect([...modules].map((path) => path.slice(folder.length + 1)).sort()).toEqual(
      ['pages/server/index.js', 'src/cli.js', 'src/late.js', 'src/page.js', 'src/thread.js'].sort(),
    );
    expect(packages).toEqual(
      new Map([
        ['one', new Set(['a', 'b', 'e'])],
        ['two', new Set(['default', 'd'])],
        ['three', null],
      ]),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { files, importsOf, read } from './source-tree.ts';

const sheets = files.filter((file) => /^src\/web\/.*\.css$/.test(file));
const routes = [...read('src/web/routes.ts').matchAll(/'([^']+\.tsx)'/g)].map(([, page = '']) => `src/web/${page}`);

/** A file and all that it loads of the pages. */
function reach(start: string): Set<string> {
  const found = new Set([start]);
  for (const file of found) {
    if (file.endsWith('.css'))
      for (const [, to = ''] of read(file).matchAll(/@import "\.\/([^"]+)"/g)) found.add(beside(file, to));
    else for (const { to } of importsOf(file)) if (/^src\/web\/(?!server\/)/.test(to)) found.add(to);
  }
  return found;
}

const beside = (file: string, name: string): string => file.replace(/[^/]+$/, name);

/** Classes that a sheet has rules for. */
const styled = (sheet: string): string[] =>
  [
    ...read(sheet)
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .matchAll(/([^{}]+)\{/g),
  ].flatMap(([, selector = '']) =>
    selector.startsWith('@') ? [] : [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name),
  );

/** Classes that components write as text; those made of several parts are not seen. */
const written = (file: string): string[] =>
  [...read(file).matchAll(/className="([^"]+)"/g)].flatMap(([, names = '']) => names.split(/\s+/));

const everywhere = reach('src/web/root.tsx');
const known = new Set(sheets.flatMap(styled));

describe('the styles of a page', () => {
  it('are seen at all', () => {
    expect(sheets.length).toBeGreaterThan(10);
    expect(routes.length).toBeGreaterThan(30);
    expect(known.size).toBeGreaterThan(150);
  });

  it('are loaded by the page whose components name them', () => {
    const missing = routes.flatMap((route) => {
      const loaded = [...everywhere, ...reach(route)];
      const here = new Set(loaded.filter((file) => file.endsWith('.css')).flatMap(styled));
      const names = loaded.filter((file) => file.endsWith('.tsx')).flatMap(written);
      return names.filter((name) => known.has(name) && !here.has(name)).map((name) => `${route}: ${name}`);
    });
    expect([...new Set(missing)]).toEqual([]);
  });
});

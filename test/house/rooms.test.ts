import { describe, expect, it } from 'vitest';
import { files, hasUnknownImport, type Import, importsOf, quoted, read, tableRows } from './source-tree.ts';

const VALUES = 'values';
const sources = files.filter((file) => file.startsWith('src/') && /\.tsx?$/.test(file));
// The version is read from where npm keeps it.
const imports = sources.flatMap(importsOf).filter(({ to }) => to !== 'package.json');

/** `records` for a file of that room; the file's own name for a loose one. */
const placeOf = (file: string): string => file.split('/')[1] ?? '';
const isRoom = (place: string): boolean => !place.endsWith('.ts') && place !== VALUES;
const roomsOfCode = [...new Set(sources.map(placeOf).filter(isRoom))].sort();
const looseOfCode = [...new Set(sources.map(placeOf).filter((place) => place.endsWith('.ts')))].sort();

const mayImport = new Map(
  tableRows('ARCHITECTURE.md', 'room').map(([room = '', , targets = '']) => [quoted(room)[0] ?? '', quoted(targets)]),
);
const mayBeImportedBy = new Map(
  tableRows('ARCHITECTURE.md', 'loose file').map(([file = '', , importers = '']) => [
    quoted(file)[0] ?? '',
    importers === 'anybody' ? 'anybody' : quoted(importers),
  ]),
);

/** Small values: any file may import any of them, and they import nothing of ours. */
const isValue = (file: string): boolean => placeOf(file) === VALUES;

const show = ({ from, to }: Import): string => `${from} → ${to}`;
const between = imports.filter(({ from, to }) => placeOf(from) !== placeOf(to) && !isValue(to));

describe('the rooms', () => {
  it('are seen at all', () => {
    expect(roomsOfCode.length).toBeGreaterThan(5);
    expect(imports.length).toBeGreaterThan(100);
    expect(between.length).toBeGreaterThan(20);
  });

  it('are those of ARCHITECTURE.md, and so are the loose files', () => {
    expect([...mayImport.keys()].sort()).toEqual(roomsOfCode);
    expect([...mayBeImportedBy.keys()].sort()).toEqual(looseOfCode);
  });

  it('have values that import nothing of ours', () => {
    expect(sources.filter(isValue).length).toBeGreaterThan(3);
    expect(imports.filter(({ from, to }) => isValue(from) && !isValue(to)).map(show)).toEqual([]);
  });

  it('import in the direction of the table, type imports included', () => {
    const wrong = between.filter(
      ({ from, to }) => isRoom(placeOf(from)) && isRoom(placeOf(to)) && !mayImport.get(placeOf(from))?.includes(placeOf(to)),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it('use every permission of the table', () => {
    const used = new Set(between.map(({ from, to }) => `${placeOf(from)} → ${placeOf(to)}`));
    const permitted = [...mayImport].flatMap(([room, targets]) => targets.map((target) => `${room} → ${target}`));
    expect(permitted.filter((each) => !used.has(each))).toEqual([]);
  });

  it('leave the process that reads strangers’ bytes alone: it loads no database and no network', () => {
    const loaded = new Set(['src/providers/reading/reader-worker.ts']);
    for (const file of loaded) {
      for (const { to, isType, byUrl } of importsOf(file)) if (!isType && !byUrl) loaded.add(to);
    }
    expect(loaded.size).toBeGreaterThan(50);
    expect([...new Set([...loaded].map(placeOf))].sort()).toEqual(['providers', 'values']);
  });

  it('have no cycle in the table', () => {
    const finished = new Set<string>();
    const walk = (room: string, path: readonly string[]): void => {
      if (path.includes(room)) throw new Error(`a cycle: ${[...path, room].join(' → ')}`);
      if (finished.has(room)) return;
      for (const target of mayImport.get(room) ?? []) walk(target, [...path, room]);
      finished.add(room);
    };
    for (const room of mayImport.keys()) walk(room, []);
    expect(finished.size).toBe(mayImport.size);
  });

  it('are entered through index.ts alone', () => {
    const sideDoors = between.filter(({ to }) => isRoom(placeOf(to)) && to !== `src/${placeOf(to)}/index.ts`);
    expect(sideDoors.map(show)).toEqual([]);
  });

  it('know a loose file only when the table lets them', () => {
    const wrong = between.filter(({ from, to }) => {
      const allowed = mayBeImportedBy.get(placeOf(to));
      return !isRoom(placeOf(to)) && allowed !== 'anybody' && !allowed?.includes(placeOf(from));
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it('name workers and files by address only within themselves', () => {
    // Loose files are one place: who may know which, their table says.
    const within = (file: string): string => (isRoom(placeOf(file)) ? placeOf(file) : 'loose');
    const wrong = imports.filter(({ from, to, byUrl }) => byUrl && within(from) !== within(to));
    expect(wrong.map(show)).toEqual([]);
  });

  it('import only what exists, and nothing by a computed name', () => {
    const known = new Set(files);
    expect(imports.filter(({ to, byUrl }) => !byUrl && !known.has(to)).map(show)).toEqual([]);
    // The built pages are the one module whose place is known only when it is made.
    expect(sources.filter(hasUnknownImport)).toEqual(['src/web/server/serving/answer-page.ts']);
  });

  it.each(roomsOfCode)('%s opens with 3–6 lines of comment, then exports and nothing else', (room) => {
    const source = read(`src/${room}/index.ts`).trim();
    const [opening = ''] = /^(?:\/\/.*\n)+|^\/\*\*[\s\S]*?\*\//.exec(source) ?? [];
    const told = opening.split('\n').filter((line) => /\w/.test(line));
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(told.length).toBeLessThanOrEqual(6);
    const rest = source.slice(opening.length);
    const exports = /^\s*export (?:type )?(?:\*|\{[^}]*\}) from '\.\/[^']+';/;
    let left = rest;
    while (exports.test(left)) left = left.replace(exports, '');
    expect(left.trim()).toBe('');
  });
});

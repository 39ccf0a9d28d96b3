/** The project as its guards see it: tracked files, imports, and the tables of its pages. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;

/** Tracked and new files, without ignored ones, as paths from the root. */
export const files: readonly string[] = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-co', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && existsSync(join(ROOT, file)))
  .sort();

export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

export interface Import {
  /** Both from the root. */
  from: string;
  to: string;
  /** A worker or data file named by its address instead of imported. */
  byUrl: boolean;
  /** Types only: nothing is loaded. */
  isType: boolean;
}

/** What a file names of ours: static, dynamic and type imports, re-exports and `new URL(…, import.meta.url)`. */
export function importsOf(file: string): Import[] {
  const source = withoutComments(read(file));
  const statements = /(?:^|[\s;}])(?:import|export)\s(type\s)?(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]/g;
  const found = [
    ...[...source.matchAll(statements)].map(([, type, target = '']) => ({ target, byUrl: false, isType: Boolean(type) })),
    ...matches(source, /\bimport\(\s*['"]([^'"]+)['"]/g).map((target) => ({ target, byUrl: false, isType: false })),
    ...matches(source, /new URL\(\s*['"]([^'"]+)['"]\s*,\s*import\.meta\.url/g).map((target) => ({
      target,
      byUrl: true,
      isType: false,
    })),
    ...matches(source, /import\.meta\.resolve\(\s*['"]([^'"]+)['"]/g).map((target) => ({ target, byUrl: true, isType: false })),
  ];
  return found
    .filter(({ target }) => target.startsWith('.'))
    .map(({ target, ...how }) => ({
      from: file,
      to: normalize(join(dirname(file), target.replace(/\?(?:url|inline)$/, ''))),
      ...how,
    }));
}

/** A dynamic import whose target no reader can know. */
export const hasUnknownImport = (file: string): boolean => /\bimport\(\s*[^'"\s)]/.test(withoutComments(read(file)));

/** The rows of the first table whose first heading cell is `head`, as plain cells. Throws if there is none. */
export const tableRows = (page: string, head: string): string[][] => tablesOf(page, head)[0] ?? [];

/** The rows of all such tables of the page. */
export const allTableRows = (page: string, head: string): string[][] => tablesOf(page, head).flat();

function tablesOf(page: string, head: string): string[][][] {
  const lines = read(page).split('\n');
  const starts = lines.flatMap((line, at) => (cells(line)[0] === head ? [at] : []));
  if (starts.length === 0) throw new Error(`${page} has no table that begins with "${head}"`);
  return starts.map((start) => {
    const rest = lines.slice(start + 2);
    const end = rest.findIndex((line) => !line.startsWith('|'));
    const rows = rest.slice(0, end < 0 ? undefined : end).map(cells);
    if (rows.length === 0) throw new Error(`a table "${head}" of ${page} is empty`);
    return rows;
  });
}

/** The words in backticks of a text. */
export const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

/** The fenced blocks of a page, with the line of their first line. */
export function fences(page: string): { line: number; language: string; text: string }[] {
  const text = read(page);
  return [...text.matchAll(/^```(\S*)[^\n]*\n([\s\S]*?)^```$/gm)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length + 1,
    language: match[1] ?? '',
    text: match[2] ?? '',
  }));
}

const cells = (line: string): string[] =>
  line.startsWith('|')
    ? line
        .slice(1, line.trimEnd().endsWith('|') ? line.trimEnd().length - 1 : undefined)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|'))
    : [];

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, target = '']) => target);

/** Blanks comments out; strings may hold `//` (addresses), so they are skipped over. */
const withoutComments = (source: string): string =>
  source.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (token) =>
    token.startsWith('/*') || token.startsWith('//') ? ' ' : token,
  );

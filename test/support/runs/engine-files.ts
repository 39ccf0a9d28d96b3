/** Which test files ask for a database of the engine that tests run on. The others prove the same whatever the engine is. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const STORE = 'test/support/database/store.ts';
/** What of `store.ts` opens a database of the engine, or asks which it is. */
const OPENERS = /\b(?:openTestStore|openNewTestStore|describeEachEngine|createDatabase|DEFAULT_ENGINE|ENGINES)\b/;
/** Said at the start of a test file, with a reason: it opens a database, but a second engine could not make it answer otherwise. */
const ONE_ENGINE = /\bOne[\s*]+engine[\s*]+is[\s*]+enough: \w/;
/** The same of a file that a server answers in half the time: where one is at hand, it is the engine. */
const SERVER_ALONE = /\bPostgreSQL[\s*]+is[\s*]+enough: \w/;
const TEST_IMPORT = /from '(\.[^']+)'/g;

/** Paths, from the root of the project, of the files that a run on this engine leaves to the run on the other. */
export function filesLeftOut(engine: string | undefined, hasServer: boolean): string[] {
  if (engine === 'postgres') return filesWithoutEngine();
  return engine === 'embedded' && hasServer ? filesForServer() : [];
}

export const filesWithoutEngine = (): string[] => testFiles().filter((file) => !asksForEngine(file, new Set([STORE])));

const filesForServer = (): string[] => testFiles().filter((file) => SERVER_ALONE.test(headOf(file)));

const testFiles = (): string[] => globSync('test/**/*.test.ts', { cwd: ROOT });
/** The comment at the start of a file. */
const headOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8').slice(0, HEAD_CHARS);

function asksForEngine(file: string, seen: Set<string>): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (ONE_ENGINE.test(text.slice(0, HEAD_CHARS))) return false;
  if (OPENERS.test(text)) return true;
  return [...text.matchAll(TEST_IMPORT)]
    .map(([, path = '']) => join(dirname(file), path))
    .some((path) => path.startsWith('test/') && existsSync(join(ROOT, path)) && asksForEngine(path, seen));
}

const HEAD_CHARS = 500;

/**
 * Which test files run on which engine. Most prove the same on either one: they run once. Files whose subject is the engine, or
 * several connections at once, run on both.
 */

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
/** Said at the start of a test file, with a reason: the engines may answer otherwise. */
const BOTH_ENGINES = /\bBoth[\s*]+engines: \w/;
const EACH_ENGINE = /\bdescribeEachEngine\(/;
/** Their subjects are the engines. */
const ROOMS_OF_BOTH = /^test\/(?:store|backup|cli)\//;
/** Said at the start of a test file that may run on either engine, and takes half the time on a server. */
const QUICKER_ON_SERVER = /\bPostgreSQL[\s*]+is[\s*]+quicker\./;
const TEST_IMPORT = /from '(\.[^']+)'/g;

export interface EngineRun {
  engine: string | undefined;
  /** Whether a PostgreSQL server is at hand. */
  hasServer: boolean;
  /**
   * A file that may run on either engine runs on the quicker one. The other engine gets one of `SAMPLES` samples of them: that of this
   * whole number, modulo. Absent: all of them.
   */
  turn?: number | undefined;
}

/** Paths, from the root of the project, of the files that a run on this engine leaves to the run on the other. */
export function filesLeftOut({ engine, hasServer, turn }: EngineRun): string[] {
  if (engine === 'postgres') return [...filesWithoutEngine(), ...filesOfOtherTurns(turn, (file) => !isQuickerOnServer(file))];
  if (engine !== 'embedded' || !hasServer) return [];
  return [...testFiles().filter(isForServer), ...filesOfOtherTurns(turn, isQuickerOnServer)];
}

export const filesWithoutEngine = (): string[] => testFiles().filter((file) => !asksForEngine(file, new Set([STORE])));

/** Files that run on both engines whatever the turn is. */
export const filesOfBoth = (): string[] => filesWithEngine().filter(needsBoth);

/** Of the files that may run on either engine and are quicker on the other one, those that wait for another turn. */
function filesOfOtherTurns(turn: number | undefined, isQuickerElsewhere: (file: string) => boolean): string[] {
  if (turn === undefined) return [];
  const onEither = filesWithEngine().filter((file) => !needsBoth(file) && !isForServer(file) && isQuickerElsewhere(file));
  return onEither.filter((_, index) => index % SAMPLES !== turn % SAMPLES);
}

function filesWithEngine(): string[] {
  const without = new Set(filesWithoutEngine());
  return testFiles().filter((file) => !without.has(file));
}

const isQuickerOnServer = (file: string): boolean => QUICKER_ON_SERVER.test(headOf(file));
const isForServer = (file: string): boolean => SERVER_ALONE.test(headOf(file));
const needsBoth = (file: string): boolean =>
  !isForServer(file) && (ROOMS_OF_BOTH.test(file) || BOTH_ENGINES.test(headOf(file)) || EACH_ENGINE.test(textOf(file)));

const testFiles = (): string[] => globSync('test/**/*.test.ts', { cwd: ROOT }).sort();
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
/** The comment at the start of a file. */
const headOf = (file: string): string => textOf(file).slice(0, HEAD_CHARS);

function asksForEngine(file: string, seen: Set<string>): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = textOf(file);
  if (ONE_ENGINE.test(text.slice(0, HEAD_CHARS))) return false;
  if (OPENERS.test(text)) return true;
  return [...text.matchAll(TEST_IMPORT)]
    .map(([, path = '']) => join(dirname(file), path))
    .some((path) => path.startsWith('test/') && existsSync(join(ROOT, path)) && asksForEngine(path, seen));
}

export const SAMPLES = 10;
const HEAD_CHARS = 500;

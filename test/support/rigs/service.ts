import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../../src/cli.ts';
import { copyDemoFolder } from '../database/demo-folder.ts';
import { BRIEF_NODE } from '../processes/brief-node.ts';
import { eventually } from '../processes/child-process.ts';
import { DEMO_NOW } from '../runs/demo-clock.ts';

export interface RunningService {
  /** Without a trailing slash. */
  url: string;
  process: ChildProcess;
  /** What it has printed so far, standard output and standard error. */
  printed(): string;
  /** SIGINT, on which nobody waits, or the signal given; gives the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface DemoService extends RunningService {
  /** One per tier, as printed at the start. */
  keys: ReturnType<typeof keysIn>;
  folder: string;
  /** What it was started with, for commands beside it and for its next start. */
  settings: Record<string, string>;
}

export interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs one command to its end, as an operator would. */
export async function marquee(words: readonly string[], env: Record<string, string>): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  execFile(process.execPath, [...PROGRAM, ...words], { env: environmentOf(env), maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
    resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr });
  });
  return promise;
}

/** The same in this process, for commands that do not get far. */
export async function marqueeHere(words: readonly string[], env: Record<string, string>): Promise<Ended> {
  const printed = { out: '', err: '' };
  const into = (stream: keyof typeof printed) =>
    ({
      write(text: string) {
        printed[stream] += text;
        return true;
      },
    }) as NodeJS.WriteStream;
  const status = await run(words, { env: environmentOf(env), out: into('out'), err: into('err') });
  return { status, stdout: printed.out, stderr: printed.err };
}

/** Starts a service on a free port and waits until it says that it listens, or works: a worker has no address, and an empty `url`. */
export async function startService(
  words: readonly string[],
  env: Record<string, string>,
  [program, ...before]: readonly [string, ...string[]] = DIRECTLY,
): Promise<RunningService> {
  const child = spawn(program, [...before, ...words], { env: environmentOf(env), stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      printed += chunk.toString();
      const [started, address = ''] = /^(?:listening on (http:\S+)|working)$/m.exec(printed) ?? [];
      if (started) resolve(address);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it listened: ${printed}`)));
  });
  return {
    url,
    process: child,
    printed: () => printed,
    async stop(signal = 'SIGINT') {
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

/**
 * What `npm start` runs, on a data folder of its own that goes with it; the demo city is there already. The directory's clock stands
 * at `DEMO_NOW` unless `MARQUEE_NOW` is given.
 */
export async function startDemoService(env: Record<string, string> = {}): Promise<DemoService> {
  const { folder, remove } = await copyDemoFolder(DEMO_NOW);
  const settings = { MARQUEE_DATA_DIR: folder, MARQUEE_NOW: DEMO_NOW, ...env };
  const service = await startService(['start'], settings);
  return {
    ...service,
    folder,
    settings,
    keys: keysIn(folder),
    async stop(signal) {
      const code = await service.stop(signal);
      remove();
      return code;
    },
  };
}

/** The keys that `start` left in its data folder. */
export function keysIn(folder: string): { starter: string; growth: string; enterprise: string } {
  return JSON.parse(readFileSync(join(folder, 'demo-keys.json'), 'utf8'));
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not.
type Json = any;

/** One GET with a key; the body as JSON. */
export async function ask(
  service: RunningService,
  path: string,
  key: string,
): Promise<{ status: number; headers: Headers; body: Json }> {
  const answer = await fetch(`${service.url}/api/v1${path}`, { headers: { 'X-API-Key': key } });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

/** Of a process of the product: that of the tests, with these settings. */
export function environmentOf(env: Record<string, string>): NodeJS.ProcessEnv {
  // Whether it is production is for each service to be told.
  const { NODE_ENV: _, ...inherited } = process.env;
  return { ...inherited, PORT: '0', MARQUEE_METRICS_PORT: 'off', LOG_LEVEL: 'warn', NODE_OPTIONS: '', ...env };
}

/** As documented; the process that it starts is npm's. */
export const THROUGH_NPM = ['npm', 'run', 'marquee', '--'] as const;
const PROGRAM = [...BRIEF_NODE, new URL('../../../bin/marquee.mjs', import.meta.url).pathname];
const DIRECTLY = [process.execPath, ...PROGRAM] as const;
/** In a process that may have so many files open. */
export const limitedFiles = (files: number): readonly [string, ...string[]] => [
  'sh',
  '-c',
  `ulimit -n ${files}; exec "$0" "$@"`,
  ...DIRECTLY,
];
/** In a process with modules loaded before it. */
export const preloaded = (execArgv: readonly string[]): readonly [string, ...string[]] => [
  process.execPath,
  ...execArgv,
  ...PROGRAM,
];

/** A page other than the front page, which a service has made before it listens: on a busy machine it may take longer than a request may. */
export async function pagesReady({ url }: RunningService): Promise<void> {
  const isThere = () =>
    fetch(`${url}/sign-in`, { headers: { accept: 'text/html', connection: 'close' } }).then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually(isThere);
}

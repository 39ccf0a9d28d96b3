/** The command line: settings from the environment, a command from the words, one sentence and an exit code when it fails. */

import { readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError, Option } from 'commander';
import { COMMANDS, ensureDemo, type MakeCommand } from './commands/index.ts';
import { ROLES, type Role, readConfig } from './config.ts';
import { type Context, createContext } from './context.ts';
import { createLog } from './log.ts';
import { ExpectedError, isExpected } from './values/expected-error.ts';

/** Where a command is typed. */
export interface Terminal {
  env: NodeJS.ProcessEnv;
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
  /** Absent: nobody can be asked. */
  in?: NodeJS.ReadStream;
}

/** Runs one command to its end; gives the exit code. Never rejects. */
export async function run(words: readonly string[], terminal: Terminal = HERE): Promise<number> {
  const { env, out, err, in: input } = terminal;
  if (terminal === HERE) outliveReaders();
  try {
    const config = readConfig(env);
    // React has a half for its developers that takes three times as long, and runs it unless told. Our own settings are read by now.
    process.env.NODE_ENV ??= 'production';
    // Who typed a command reads its answer; the log of what went well on the way is for services.
    const level = SERVING.has(words[0] ?? '') || env.LOG_LEVEL ? config.logLevel : 'warn';
    const log = createLog(level);
    const context = createContext(config, log, { out, err, ...(input && { in: input }) });
    const marquee = program(context, out);
    for (const make of await loadCommands(marquee, words[0] ?? '')) marquee.addCommand(inherit(make(context), marquee));
    await addHelp(marquee).parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    err.write(`${explain(error)}\n`);
    return isExpected(error) ? (EXIT_CODES.get(error.code) ?? 1) : 1;
  }
}

const HERE: Terminal = { env: process.env, out: process.stdout, err: process.stderr, in: process.stdin };

/**
 * `marquee run list | head -1`: who has read enough closes the pipe, which is no fault. A full disk is one, to be told. What the command
 * has to do is done to its end all the same.
 */
function outliveReaders(): void {
  let isLost = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || isLost) return;
      isLost = true;
      // Whatever code the command itself ends with.
      process.on('exit', () => {
        process.exitCode = 1;
      });
      if (stream === process.stdout) process.stderr.write(`Cannot write the output: ${error.message}.\n`);
    });
  }
}

/** The one that is typed; all of them where somebody asks for help, or types what is none. */
function loadCommands(marquee: Command, typed: string): Promise<MakeCommand[]> {
  if (marquee.commands.some((command) => command.name() === typed)) return Promise.resolve([]);
  const load = COMMANDS.get(typed);
  return Promise.all(load ? [load()] : [...COMMANDS.values()].map((loadOne) => loadOne()));
}

/** With the commands that start the service; the others are loaded when they are typed. */
function program(context: Context, out: NodeJS.WriteStream): Command {
  const marquee = new Command('marquee')
    .description("One clean, ranked directory of a city's events and venues, served as a metered JSON API.")
    .version(versionOf(PACKAGE), '--version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void out.write(text), outputError: () => undefined })
    .showSuggestionAfterError();
  marquee
    .command('serve')
    .description('starts the service; SIGTERM stops it gracefully')
    .addOption(new Option('--role <role>', 'role of this process').choices(ROLES).default('all'))
    .addOption(new Option('--threads <number>', 'has no effect').argParser(checkThreads).hideHelp())
    .action(async ({ role, threads }: { role: Role; threads?: string }) => {
      if (threads !== undefined) context.log.warn({ threads }, THREADS_WARNING);
      await (await service()).serve(context, { role });
    });
  marquee
    .command('start')
    .description('starts all roles, loads the demo city if the data folder is empty, and prints API keys to try')
    .action(async () => {
      const command = commandName(process.env, process.argv[1] ?? '', dirname(fileURLToPath(PACKAGE)));
      await (await service()).serve(context, {
        role: 'all',
        command,
        prepareDemo: (store) => ensureDemo(context, store),
      });
    });
  marquee
    .command('build')
    .description('builds the web pages if they are missing; start does this automatically')
    .action(async () => {
      const { buildPages } = await import('./web/index.ts');
      await buildPages({ onBegin: () => context.print('building the web pages') });
      context.print('the web pages are built');
    });
  return marquee;
}

/** Loaded only to serve: a command beside a running service stays quick. */
const service = () => import('./main.ts');

/** Units and scripts of an earlier version have the option: what they could start with, they still can. */
function checkThreads(text: string): string {
  if (text === 'auto' || (/^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_THREADS)) return text;
  throw new ExpectedError('bad_option', `--threads must be a whole number from 1 to ${MAX_THREADS}, or auto, but is "${text}"`);
}

/**
 * How commands are typed where this process was started, so that what is printed for people works when it is pasted: `npm run marquee --`
 * in a checkout, `npx marquee` in a project that has the package, `marquee` where it is installed for all. `env`: of npm, if it started
 * the process; `program`: the path of the program as it was typed; `root`: of this installation.
 */
export function commandName(env: NodeJS.ProcessEnv, program: string, root: string): string {
  const isPackage = root.split(sep).includes('node_modules');
  const isOwnScript = env.npm_package_json === join(root, 'package.json') && env.npm_command !== 'exec';
  if (isOwnScript && !isPackage) return 'npm run marquee --';
  // Of npx, or of a script of the project around.
  if (env.npm_command !== undefined) return 'npx marquee';
  if (basename(program) === 'marquee') return basename(dirname(program)) === '.bin' ? 'npx marquee' : 'marquee';
  return isPackage ? 'npx marquee' : 'npm run marquee --';
}

/** Commands made elsewhere take over how errors and exits are handled. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child, command);
  return command.commands.length > 0 ? addHelp(command) : command;
}

/** Commander's own answers an unknown command with the help of all, as if none had been named. */
function addHelp(group: Command): Command {
  group
    .command('help')
    .argument('[command...]')
    .description('display help for command')
    .action((words: string[]) => findCommand(group, words).outputHelp());
  return group;
}

function findCommand(group: Command, words: readonly string[]): Command {
  let found = group;
  for (const word of words) {
    const next = found.commands.find((command) => command.name() === word);
    if (!next) return found.error(`error: unknown command '${word}'; see ${pathOf(found)} --help`);
    found = next;
  }
  return found;
}

const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name());

/** One sentence for what was expected; else all that is known. */
function explain(error: unknown): string {
  if (error instanceof CommanderError) {
    if (error.code === 'commander.help') return 'no command given; see marquee --help';
    return error.message.replace(/^error: /, '');
  }
  return isExpected(error) ? error.message : String((error as Error)?.stack ?? error);
}

const versionOf = (file: URL): string => JSON.parse(readFileSync(file, 'utf8')).version;

const THREADS_WARNING =
  '--threads has no effect any more; to use more cores, run several serve --role api processes with REDIS_URL behind a load balancer (docs/scale.md)';
const MAX_THREADS = 64;
/** Others are 1. A script tells by them what was found. */
const EXIT_CODES: ReadonlyMap<string, number> = new Map([['migrations_pending', 2]]);
const PACKAGE = new URL('../package.json', import.meta.url);
const SERVING: ReadonlySet<string> = new Set(['serve', 'start']);

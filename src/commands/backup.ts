/** `backup` and `restore`: a service in a file, and a file in an empty store. */

import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { Command } from 'commander';
import { findSecret, readSecret, SecretError } from '../accounts/index.ts';
import {
  BackupError,
  type BackupManifest,
  type BackupPlace,
  nameFile,
  openSource,
  openTarget,
  readDataFiles,
  restoreBackup,
  verifyBackup,
  writeBackup,
} from '../backup/index.ts';
import type { Context } from '../context.ts';
import { hasEmbedded, isOlder, pendingMigrations, type Store } from '../store/index.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { standBack } from '../values/stand-back.ts';
import { onEndingSignal } from '../values/waiting/ending-signals.ts';
import { showProgress } from './print-run.ts';
import { counted } from './print-table.ts';

interface BackupFlags {
  verify?: true;
  secret: boolean;
  json?: true;
  now?: true;
}

export function backupCommand(context: Context): Command {
  return new Command('backup')
    .description('writes everything of one moment to a file; the service may run meanwhile')
    .argument('<file>', 'a file, s3://bucket/path, or - for standard output')
    .option('--verify', 'restore the file into a temporary folder instead, and compare every row')
    .option('--without-secret', 'leave out the secret that opens sessions and webhooks')
    .option('--json', 'print the manifest')
    .option('--now', 'do not give way to other work on this machine')
    .action((file: string, { withoutSecret, ...flags }: Omit<BackupFlags, 'secret'> & { withoutSecret?: true }) => {
      return flags.verify ? runVerify(context, file, flags) : runBackup(context, file, { ...flags, secret: !withoutSecret });
    });
}

export function restoreCommand(context: Context): Command {
  return new Command('restore')
    .description('fills an empty store of either engine from a backup')
    .argument('<file>', 'a file, s3://bucket/path, or - for standard input')
    .option('--json', 'print the manifest')
    .action((file: string, flags: Pick<BackupFlags, 'json'>) => runRestore(context, file, flags));
}

async function runBackup(context: Context, file: string, flags: BackupFlags): Promise<void> {
  const { config, log } = context;
  // Opening a store creates what is missing.
  if (config.databaseUrl === null && !hasEmbedded(config.dataDir))
    throw new BackupError('no_database', { place: config.dataDir });
  if (file === PIPE && process.stdout.isTTY) {
    throw new ExpectedError('refused', 'A backup is not for a terminal: name a file, or send the output to a program.');
  }
  const files = readDataFiles(config.dataDir, flags.secret ? claimSecret(context) : null);
  const write = async (store: Store, interrupted: AbortSignal) => {
    await checkVersion(store, config.databaseUrl === null ? config.dataDir : 'the database of DATABASE_URL');
    const target = await openTarget(placeOf(context, file), interrupted);
    endOn(interrupted, target.out);
    const progress = showProgress(context, 'backup', process.stderr, 'rows');
    let endNotice = () => {};
    try {
      const { manifest, bytes } = await writeBackup({
        ...{ store, dataDir: config.dataDir, log, files, out: target.out },
        onCopied() {
          // While the database is copied, a service waits for it. Beside an embedded database that runs here, there is no service.
          if (!store.ownsEngine()) endNotice = giveWay(context, flags);
        },
        onProgress: (rows, total) => progress.update(total > 0 ? Math.min(1, rows / total) : 0, rows),
      });
      await target.keep();
      progress.end();
      const say = file === PIPE ? context.remark : context.print;
      say(flags.json ? JSON.stringify({ ...manifest, bytes }) : `${describe(manifest)}, ${(bytes / 1e6).toFixed(1)} MB`);
    } catch (error) {
      progress.end();
      await target.discard();
      throw error;
    } finally {
      endNotice();
    }
  };
  await context.withStore((store) => interruptible((interrupted) => write(store, interrupted)), { onOlder: 'keep' });
}

/** Lets other work go first, and says so where that takes long. Gives the function that ends it. */
function giveWay({ watched, remark }: Context, { now }: Pick<BackupFlags, 'now'>): () => void {
  if (now) return () => {};
  standBack();
  const say = () => remark(`${watched ? '\n' : ''}${SLOW}`);
  const timer = setTimeout(say, SLOW_MS);
  return () => clearTimeout(timer);
}

/** Migrated by this version, neither the database nor the backup would be of use to the version before. */
async function checkVersion({ db }: Store, place: string): Promise<void> {
  const pending = await pendingMigrations(db);
  if (isOlder(pending)) throw new BackupError('database_older');
  if (pending.length > 0) throw new BackupError('no_database', { place });
}

async function runVerify(context: Context, file: string, flags: Pick<BackupFlags, 'json' | 'now'>): Promise<void> {
  const endNotice = giveWay(context, flags);
  const verify = readWith(context, file, 'verify', (source) => verifyBackup({ source, log: context.log }));
  const manifest = await verify.finally(endNotice);
  context.print(flags.json ? JSON.stringify(manifest) : `${describe(manifest)}; every row is as it was written`);
}

async function runRestore(context: Context, file: string, flags: Pick<BackupFlags, 'json'>): Promise<void> {
  const { dataDir, databaseUrl, secret } = context.config;
  const report = await readWith(context, file, 'restore', (source) =>
    restoreBackup({ source, dataDir, databaseUrl, secret, log: context.log }),
  );
  const { manifest, migrations, files, keptSecret } = report;
  if (keptSecret !== null) context.remark(`The data folder had another secret: it is in ${keptSecret} now.`);
  if (flags.json) return context.print(JSON.stringify({ ...manifest, migrations, restoredFiles: files }));
  context.print(`${describe(manifest)}, written by version ${manifest.version} at ${manifest.moment}`);
  if (migrations.length > 0) context.print(`${counted(migrations.length, 'migration')} applied since`);
  if (!manifest.files.includes('secret')) {
    context.remark('The backup has no secret: set MARQUEE_SECRET to the secret of the old service before you start this one.');
  }
}

/** Shows progress by the bytes read; errors get the name of the file. */
async function readWith<T>(
  context: Context,
  file: string,
  title: string,
  work: (source: Awaited<ReturnType<typeof openSource>>['stream']) => Promise<T>,
): Promise<T> {
  const { stream, bytes } = await openSource(placeOf(context, file));
  const progress = showProgress(context, title, process.stderr, 'MB');
  let read = 0;
  stream.on('data', (chunk: Buffer) => {
    read += chunk.length;
    progress.update(bytes === null || bytes === 0 ? 0 : read / bytes, Math.round(read / 1e6));
  });
  stream.pause();
  try {
    return await interruptible((interrupted) => {
      endOn(interrupted, stream);
      return work(stream);
    });
  } catch (error) {
    throw nameFile(error, file === PIPE ? 'Standard input' : file);
  } finally {
    progress.end();
  }
}

/**
 * Ctrl-C aborts the signal that `work` gets. Work that fails then, and so has removed what it began, was interrupted; work that had
 * nothing left to read or write comes to its end. A later second Ctrl-C ends the process where it stands.
 */
async function interruptible<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const forgetSignals = onEndingSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => controller.abort());
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? new ExpectedError('interrupted', 'Interrupted. Nothing was changed.') : error;
  } finally {
    forgetSignals();
  }
}

function endOn(interrupted: AbortSignal, stream: Readable | Writable): void {
  // Whoever uses the stream may not listen yet, or no more.
  stream.on('error', () => undefined);
  addAbortSignal(interrupted, stream);
}

/** An address of storage becomes the place in it. */
const placeOf = ({ config }: Context, file: string): BackupPlace => (/^s3:/i.test(file) ? config.readStorageUrl(file) : file);

function claimSecret({ config: { dataDir, databaseUrl, secret } }: Context): string {
  try {
    // The data folder of an embedded database is the one of the service. Beside a server it may be of somebody else.
    const found = databaseUrl === null ? readSecret(dataDir, secret) : findSecret(dataDir, secret);
    if (found !== null) return found;
  } catch (error) {
    throw error instanceof SecretError ? new ExpectedError('refused', error.message, { cause: error }) : error;
  }
  throw new BackupError('secret_missing', { folder: dataDir });
}

const describe = ({ rows, tables }: BackupManifest): string =>
  `${counted(rows, 'row')} of ${counted(Object.keys(tables).length, 'table')}`;

const SLOW = 'Still at work: this command gives way to other work on this machine. With --now it does not.';
const SLOW_MS = 10_000;
const PIPE = '-';

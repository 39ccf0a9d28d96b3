/** What `doctor` asks of the machine, the mail server, the certificate, the backups and the files of the database: one text for each. */

import { existsSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { type BackupState, backupDelay, loadBackupState } from '../backup/index.ts';
import type { BackupPlan } from '../backup-plan.ts';
import type { Config } from '../config.ts';
import { readFileLimit } from '../file-limit.ts';
import { checkMailServer, senderOfEmails } from '../mail/index.ts';
import { checkPages, checkRelations, namePages, type PageCheck, type RelationCheck, type Store } from '../store/index.ts';
import { baseUrl } from '../values/base-url.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../values/duration.ts';

/** Whether the disk of the data folder has room: for what is written, and for the copy that a backup reads. */
export function describeDiskRoom(dataDir: string): string {
  const { bavail, bsize, blocks } = statfsSync(nearestFolder(resolve(dataDir)));
  const [free, total] = [bavail * bsize, blocks * bsize];
  const room = `${gigabytes(free)} GB of ${gigabytes(total)} GB free`;
  return free < MIN_FREE_BYTES ? `ALMOST FULL, ${room}; ${dataDir} needs ${gigabytes(MIN_FREE_BYTES)} GB at least` : room;
}

/** A data folder that is not there yet will be made in the nearest one that is. */
const nearestFolder = (folder: string): string => (existsSync(folder) ? folder : nearestFolder(dirname(folder)));

const gigabytes = (bytes: number): string => (bytes / 2 ** 30).toFixed(1);

/** Whether a process may open as many files as it has connections. */
export function describeFileLimit(limit: number | null = readFileLimit()): string {
  if (limit === null) return 'cannot be read on this system';
  return limit < WANTED_FILES ? `${limit}, TOO FEW for 10,000 connections; set ulimit -n to ${WANTED_FILES} or more` : `${limit}`;
}

/** Whether e-mails go out. */
export async function describeMail({ smtpUrl, mailFrom, publicUrl, host, port }: Config): Promise<string> {
  if (smtpUrl === null) return 'none; emails become files in the data folder';
  const { hostname } = new URL(smtpUrl);
  const from = mailFrom ?? senderOfEmails(publicUrl ?? baseUrl(host, port));
  const fault = await checkMailServer(smtpUrl, from);
  return fault === null ? `${hostname} takes emails from ${from}` : `${hostname} DOES NOT TAKE emails: ${fault}`;
}

/** Whether clients that open the public URL see a certificate that they trust, and for how long. */
export async function describeCertificate(publicUrl: string | null, now = Date.now()): Promise<string> {
  if (publicUrl === null) return 'not checked; MARQUEE_PUBLIC_URL is not set';
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'https:') return `NONE: ${publicUrl} is not https, so keys and passwords travel readable`;
  const host = hostname.replace(/^\[|\]$/g, '');
  const answer = await readCertificate(host, Number(port || HTTPS_PORT));
  if (typeof answer === 'string') return `DOES NOT ANSWER at ${publicUrl}: ${answer}`;
  const { certificate, fault } = answer;
  const days = Math.floor((Date.parse(certificate.valid_to) - now) / DAY_MS);
  const term = days < 0 ? `ended ${-days} days ago` : `ends in ${days} days`;
  if (fault) return `NOT TRUSTED by clients: ${fault}; it ${term}`;
  return days < MIN_DAYS ? `ENDS SOON: in ${days} days; renew it` : `valid, ${term}`;
}

/** A text says why nobody answered. */
function readCertificate(host: string, port: number): Promise<{ certificate: PeerCertificate; fault: string | null } | string> {
  return new Promise((resolve) => {
    const servername = /^[\d.]+$|:/.test(host) ? '' : host;
    // Looked at, and used for nothing: a certificate that nobody trusts is to be described, too.
    const socket: TLSSocket = connect({ host, port, servername, rejectUnauthorized: false, timeout: PATIENCE_MS });
    const end = (outcome: Parameters<typeof resolve>[0]) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('secureConnect', () => {
      const { authorizationError } = socket;
      end({ certificate: socket.getPeerCertificate(), fault: authorizationError ? String(authorizationError) : null });
    });
    socket.once('timeout', () => end(`no answer within ${PATIENCE_MS / 1000} s`));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

/** How old the newest scheduled backup is, and what went wrong since. */
export async function describeBackups(plan: BackupPlan, db: Store['db'], now: number): Promise<string> {
  const state = await loadBackupState(db, plan.placeName, now);
  const isLate = backupDelay(state, plan.everyMs, now) > HOUR_MS;
  const newest = state.newestAt === null ? 'NONE YET' : describeNewest(state, now);
  return `${newest}${isLate ? ', LATE' : ''}, every ${formatPeriod(plan.everyMs)} to ${plan.placeName}${describeFailure(state)}`;
}

/** In the largest unit that needs no fraction. */
function formatPeriod(ms: number): string {
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  return ms % MINUTE_MS === 0 ? `${ms / MINUTE_MS} min` : `${ms / 1000} s`;
}

const describeNewest = ({ newestAt, bytes }: BackupState, now: number): string =>
  `newest ${((now - (newestAt ?? 0)) / HOUR_MS).toFixed(1)} h old, ${((bytes ?? 0) / 1e6).toFixed(1)} MB`;

function describeFailure({ failures, lastFailure }: BackupState): string {
  if (!lastFailure) return '';
  const times = failures === 1 ? 'once' : `${failures} times`;
  return `; FAILED ${times} since, last at ${new Date(lastFailure.at).toISOString()}: ${lastFailure.reason}`;
}

interface DamageReport {
  /** Lines to print: a name, and what there is to say. */
  lines: [string, string][];
  /** One for each that is damaged. */
  faults: string[];
}

/** `doctor --deep`: reads every page of every table and index, to see what disks and crashes left of them. */
export async function findDamage(store: Store): Promise<DamageReport> {
  const pages = await describePages(store);
  const check = await checkRelations(store.db);
  const { tables, indexes, faults } = check;
  const read = `${tables} tables and ${indexes} indexes read`;
  return {
    lines: [
      ...pages.lines,
      ['rows', faults.length === 0 ? `${read}; none is damaged` : `${read}; ${faults.length} DAMAGED`],
      ...[...faults, ...describeLimits(check)].map((line): [string, string] => ['', line]),
    ],
    faults: [...pages.faults, ...faults],
  };
}

/** What was read in another way than by the extensions of PostgreSQL, or not at all. */
function describeLimits({ without: { amcheck, pageinspect }, notRead }: RelationCheck): string[] {
  const limits: string[] = [];
  if (amcheck !== null) {
    limits.push(`indexes were read by ordered scans, and nothing of PostgreSQL's own catalog: ${amcheck}; ${HOW_TO_USE_AMCHECK}`);
  }
  if (pageinspect !== null)
    limits.push(`lost pages were looked for by counting rows: ${pageinspect}; only a superuser can read pages`);
  if (notRead.length > 0) limits.push(`indexes NOT read: ${notRead.join(', ')}`);
  return limits;
}

/** A server reads its pages itself, and finds nothing wrong with them where it keeps no checksums. */
async function describePages({ db, databaseFolder }: Store): Promise<DamageReport> {
  if (databaseFolder === null) return { lines: [], faults: [] };
  const check = await checkPages(databaseFolder);
  return describeCheck(check, await namePages(db, check.damaged));
}

/** The pages of an embedded database that cannot be opened, by the names of their files. */
export async function describeFiles(dataDir: string): Promise<[string, string][]> {
  const check = await checkPages(join(dataDir, 'database'));
  return describeCheck(check, await namePages(null, check.damaged)).lines;
}

function describeCheck({ pages, damaged }: PageCheck, names: string[]): DamageReport {
  const said = damaged.length === 0 ? 'none is damaged' : `${damaged.length} DAMAGED`;
  return {
    lines: [['pages', `${pages} read; ${said}`], ...names.map((name): [string, string] => ['', name])],
    faults: names,
  };
}

const MIN_FREE_BYTES = 2 ** 30;
/** docs/operations.md#connections */
const WANTED_FILES = 10_240;
const HTTPS_PORT = 443;
const PATIENCE_MS = 5_000;
/** Certificates of 90 days are renewed 30 days before their end. */
const MIN_DAYS = 14;
const HOW_TO_USE_AMCHECK =
  'a superuser can run create extension amcheck, and grant execute on all its functions to the user of DATABASE_URL';

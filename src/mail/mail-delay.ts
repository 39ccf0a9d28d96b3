/** How long the oldest e-mail has waited for the mail server, whichever process and thread it belongs to. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailerOptions } from './mailer.ts';

/** Milliseconds; 0: none waits, or e-mails become files. */
export async function loadMailDelay(
  { dataDir, smtpUrl }: Pick<MailerOptions, 'dataDir' | 'smtpUrl'>,
  now: number,
): Promise<number> {
  if (smtpUrl === null) return 0;
  const folder = join(dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  let longest = 0;
  for (const name of names.filter((each) => each.endsWith('.json')).slice(0, MAX_READ)) {
    // Sent meanwhile, or half written: nothing to tell of.
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    longest = Math.max(longest, now - readMoment(text, now));
  }
  return longest;
}

function readMoment(text: string, otherwise: number): number {
  try {
    const { at } = JSON.parse(text) as { at?: unknown };
    return typeof at === 'number' ? at : otherwise;
  } catch {
    return otherwise;
  }
}

/** E-mails are small, and a long queue is late in any case. */
const MAX_READ = 20;

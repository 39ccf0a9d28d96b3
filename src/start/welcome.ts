/** What a start prints, and what it leaves in the data folder for whoever owns the service. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { TIER_NAMES, type TierName } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import type { Services } from '../services.ts';
import { noteAddress, writeUrl } from '../site-address.ts';
import { WELCOME_FILE, welcomeUrl } from '../web/index.ts';

/** `url`: where it listens; null for a worker. `keys`: to try, if the demo city was prepared. */
export function printStart(
  context: Context,
  { publicUrl, mail, secret }: Services,
  url: string | null,
  keys: Welcome['keys'] | null,
  command = 'marquee',
): void {
  const { config, print, printsToTerminal } = context;
  if (url === null) {
    print('working');
    return;
  }
  noteAddress(config.dataDir, publicUrl);
  const link = mail.isReadable ? welcomeUrl(publicUrl, secret) : null;
  keepWelcomeLink(context, link, keys !== null && printsToTerminal);
  if (keys) printWelcome(print, { url, link: printsToTerminal ? link : null, keys, command });
  print(`listening on ${url}`);
}

/** In a file whoever owns the service finds it; it is printed on a terminal alone, because other outputs are kept. Null: there is none. */
function keepWelcomeLink({ config: { dataDir }, log }: Context, link: string | null, isPrinted: boolean): void {
  const file = join(dataDir, WELCOME_FILE);
  if (link === null) {
    rmSync(file, { force: true });
    return;
  }
  writeUrl(file, link);
  if (!isPrinted) log.info({ file }, 'no mail server is set: to read e-mails, open the link in this file');
}

export interface Welcome {
  url: string;
  /** Lets a browser read e-mails; null where it does not show them, or where what is printed may be kept for others to read. */
  link: string | null;
  keys: Record<TierName, string>;
  /** As it is typed here, before the name of a command. */
  command: string;
}

/** Where the pages are, keys to try, and a first request. */
export function printWelcome(print: (line: string) => void, { url, link, keys, command }: Welcome): void {
  const lines = [
    '',
    `  pages       ${link ?? url}`,
    `  base URL    ${url}/api/v1`,
    `  reference   ${url}/docs`,
    `  desk        ${url}/desk, for operators. To become an operator, run in another terminal:`,
    `              ${command} account create --email you@example.org --operator`,
    ...TIER_NAMES.map((tier) => `  ${tier.padEnd(10)}  ${keys[tier]}`),
    '',
    `  curl -H 'X-API-Key: ${keys.growth}' '${url}/api/v1/events?category=concert&limit=3'`,
    '',
  ];
  for (const line of lines) print(line);
}

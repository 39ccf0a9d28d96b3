/** What `start` prints: where the pages are, keys to try, and a first request. */

import { TIER_NAMES, type TierName } from '../accounts/index.ts';

export interface Welcome {
  url: string;
  /** Lets a browser read e-mails; null where it does not show them, or where what is printed may be kept for others to read. */
  link: string | null;
  keys: Record<TierName, string>;
  /** As it is typed here, before the name of a command. */
  command: string;
}

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

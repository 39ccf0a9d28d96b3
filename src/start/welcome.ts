/** What `start` prints: where the pages are, keys to try, and a first request. */

import { TIER_NAMES, type TierName } from '../accounts/index.ts';

export function printWelcome(print: (line: string) => void, url: string, keys: Record<TierName, string>): void {
  const lines = [
    '',
    `  pages       ${url}`,
    `  base URL    ${url}/api/v1`,
    `  reference   ${url}/docs`,
    `  desk        ${url}/desk, for operators. To become an operator, run in another terminal:`,
    '              npm run marquee -- account create --email you@example.org --operator',
    ...TIER_NAMES.map((tier) => `  ${tier.padEnd(10)}  ${keys[tier]}`),
    '',
    `  curl -H 'X-API-Key: ${keys.growth}' '${url}/api/v1/events?category=concert&limit=3'`,
    '',
  ];
  for (const line of lines) print(line);
}

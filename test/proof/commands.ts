/** The command line: the help of every command, and what commands that read print. */

import type { Item } from './item.ts';
import type { Place } from './place.ts';

export async function* commandItems(place: Place): AsyncGenerator<Item> {
  // Help is as wide as the terminal that somebody sits at.
  Object.defineProperty(process.stdout, 'isTTY', { value: false });
  let count = 0;
  for await (const item of helpOf(place, [])) {
    count += 1;
    yield item;
  }
  if (count < MIN_COMMANDS) throw new Error(`found ${count} commands only`);
  for (const words of reading(place)) yield await run(place, words);
}

async function* helpOf(place: Place, words: readonly string[]): AsyncGenerator<Item> {
  const item = await run(place, [...words, '--help']);
  yield item;
  const [, list = ''] = /^Commands:\n([\s\S]*)/m.exec(item.text) ?? [];
  const names = [...list.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => name);
  for (const name of names) if (name !== 'help') yield* helpOf(place, [...words, name]);
}

async function run(place: Place, words: readonly string[]): Promise<Item> {
  const { status, stdout, stderr } = await place.marquee(words);
  return { name: `command ${words.join(' ')}`, status, text: `${stdout}\n--- standard error\n${stderr}` };
}

function reading({ records: { events, venues, listed, hidden } }: Place): string[][] {
  const event = events[0]?.id ?? '';
  return [
    ...[
      'source list',
      'source list --json',
      'source test harbor-listings',
      'source test harbor-listings --json',
      'source test nothing',
    ],
    ...['run list', 'run list --json', 'run list nothing', 'run undo nothing', 'ingest harbor-listings --dry-run'],
    ...['ingest harbor-listings --dry-run --json', 'ingest nothing', 'review list', 'review list --json', 'review same 1 2'],
    ...['key list --account developer@marquee.example', 'key list --account nobody@marquee.example', 'key revoke nothing'],
    ...['account create --email x', 'account link --email nobody@marquee.example', 'incident list', 'incident list --json'],
    ...['migrate --check', 'nothing', '', '--version', 'help nothing', 'serve --role nothing', 'import /nowhere/at/all'],
    ...[
      `explain event ${event}`,
      `explain event ${listed[0]?.id}`,
      `explain event ${listed.at(-1)?.slug}`,
      'explain event nothing',
    ],
    ...[`correct event ${event} nothing x`, `correct venue ${venues[0]?.id} nothing x`, `correct event ${event} title`],
    ...[`correct event ${event} priceMin -1`, `unhide event ${event}`, `hide event nothing`, `hide event ${hidden}`],
    ...['export /dev/null', 'source add nothing x', 'source add json /nowhere.json', 'backup /nowhere/at/all', 'secret nothing'],
  ].map((line) => line.split(' ').filter((word) => word !== ''));
}

const MIN_COMMANDS = 40;

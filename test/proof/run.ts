/**
 * Proves that nothing has changed that anybody can see: `npm run proof` asks a whole Marquee for everything, and compares a hash of each
 * answer with the recorded ones. `-- --write` records them, `-- --keep FOLDER` also writes the texts, so that those of two trees can be
 * compared with `diff -r`. Ends with 1 when an answer differs, is new or is missing.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { apiItems } from './api-answers.ts';
import { assistantItems } from './assistants.ts';
import { commandItems } from './commands.ts';
import { fileItems } from './files.ts';
import { filterText } from './filter.ts';
import type { Item } from './item.ts';
import { makeThings, pageItems, signIn } from './pages.ts';
import { openPlace, type Place } from './place.ts';

const { values: options } = parseArgs({
  options: { write: { type: 'boolean', default: false }, keep: { type: 'string' } },
});

/** A part with fewer has not seen what it is for. */
const MIN_ITEMS = 20;
const HASH_CHARS = 16;
const RECORDED = new URL('./hashes.tsv', import.meta.url).pathname;

/** By the name of the item. */
const seen = new Map<string, string>();
const place = await openPlace();
try {
  const sessions = await signIn(place);
  const things = await makeThings(place, sessions);
  // Pages first: they tell how often a key was used.
  const parts = { pages: pageItems(place, sessions, things), api: apiItems(place), assistants: assistantItems(place) };
  const rest = { files: fileItems(place, things.exportIds), commands: commandItems(place) };
  for (const [part, items] of Object.entries({ ...parts, ...rest })) {
    const begun = performance.now();
    const before = seen.size;
    for await (const item of items) note(place, item);
    if (seen.size - before < MIN_ITEMS) throw new Error(`${part}: saw ${seen.size - before} items only`);
    console.error(`${part}: ${seen.size - before} items in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  }
} finally {
  await place.close();
}
process.exitCode = options.write ? write() : compare();

function note({ known }: Place, item: Item): void {
  const name = filterText(item.name, item.name, known).replace(/\s+/g, ' ').trim();
  const text = filterText(item.name, item.text, known);
  const hash = createHash('sha256')
    .update(item.bytes ?? text)
    .digest('hex')
    .slice(0, HASH_CHARS);
  const line = `${item.status} ${hash}`;
  if ((seen.get(name) ?? line) !== line) throw new Error(`two items are called ${name}`);
  seen.set(name, line);
  if (options.keep === undefined) return;
  mkdirSync(options.keep, { recursive: true });
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 6);
  writeFileSync(
    join(options.keep, `${name.replace(/[^\w.-]+/g, '_').slice(0, 120)}-${digest}`),
    item.bytes ?? `${name}\n${text}`,
  );
}

function write(): number {
  const lines = [...seen].map(([name, line]) => `${name}\t${line}\n`).sort();
  writeFileSync(RECORDED, lines.join(''));
  console.log(`recorded ${lines.length} items`);
  return 0;
}

function compare(): number {
  const text = existsSync(RECORDED) ? readFileSync(RECORDED, 'utf8') : '';
  const recorded = new Map(text.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t') as [string, string]])));
  const names = [...new Set([...recorded.keys(), ...seen.keys()])].sort();
  const different = names.filter((name) => recorded.get(name) !== seen.get(name));
  for (const name of different) {
    const [before, now] = [recorded.get(name), seen.get(name)];
    console.log(`${before === undefined ? 'new' : now === undefined ? 'missing' : 'different'}: ${name}`);
  }
  if (recorded.size === 0) console.log('nothing is recorded yet: npm run proof -- --write');
  console.log(`${seen.size} items, ${different.length} of them differ from the record`);
  return different.length === 0 && recorded.size > 0 ? 0 : 1;
}

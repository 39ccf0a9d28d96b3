/** Types of venues and categories of events of one published day, compared with what a person who read them accepts. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../src/store/index.ts';
import { NYC, writeNycBundle } from '../test/nyc/load.ts';
import type { Figure } from './figure.ts';
import { NYC_FACTS } from './nyc-facts.ts';
import { openTemporaryDirectory } from './temporary-directory.ts';

interface Label {
  kind: 'venue' | 'event';
  /** Name of the venue, or id of a listing. */
  id: string;
  accepted: readonly string[];
}

export async function kindFigures(): Promise<Figure[]> {
  if (NYC_FACTS.missing) return [];
  const text = gunzipSync(readFileSync(NYC_FACTS.day(DAY))).toString('utf8');
  const now = Date.parse((JSON.parse(text) as { generatedAt: string }).generatedAt);
  const directory = await openTemporaryDirectory(writeNycBundle, now);
  try {
    const file = join(directory.folder, 'answer.json');
    writeFileSync(file, text);
    await directory.add('dashboard', { ...NYC.events, file });
    await directory.run('dashboard', now);
    const labels = readLabels();
    const [types, categories] = await Promise.all([typesOf(directory.store.db), categoriesOf(directory.store.db)]);
    return [
      figure('venue', labels, types, 'names alone were labeled; the providers list no types and no capacity'),
      figure('event', labels, categories, 'a third of them are greenmarkets and concerts, two thirds are the others'),
    ];
  } finally {
    await directory.dispose();
  }
}

function figure(kind: Label['kind'], labels: readonly Label[], found: ReadonlyMap<string, string>, note: string): Figure {
  const wanted = labels.filter((label) => label.kind === kind && found.has(label.id));
  const wrong = wanted.filter(({ id, accepted }) => !accepted.includes(found.get(id) ?? ''));
  for (const { id, accepted } of wrong) console.error(`${kind} ${id}: ${found.get(id)}, wanted ${accepted.join(' or ')}`);
  return {
    name: kind === 'venue' ? 'venues with an acceptable type' : 'events with an acceptable category',
    value: `${wanted.length - wrong.length} of ${wanted.length}`,
    command: 'npm run quality',
    note,
  };
}

function readLabels(): Label[] {
  const lines = readFileSync(new URL(`labels/kinds-${DAY}.tsv`, import.meta.url), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [kind = '', id = '', accepted = ''] = line.split('\t');
      return { kind: kind as Label['kind'], id, accepted: accepted.split('|') };
    });
}

/** By every name that a listing gives a venue. */
async function typesOf(db: Kysely<Database>): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select record.listing ->> 'name' as name, venue.type from record join venue on venue.id = record.venue_id
    where record.kind = 'venue' union select name, type from venue`.execute(db);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

async function categoriesOf(db: Kysely<Database>): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; category: string }>`
    select record.external_id as id, event.category from record join event on event.id = record.event_id`.execute(db);
  return new Map(rows.map(({ id, category }) => [id, category]));
}

const DAY = '2026-06-24';

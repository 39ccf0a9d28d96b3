/** Events of one published day whose fields a person has read, each against its listings: which are still as they were read. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../src/store/index.ts';
import type { Figure } from './figure.ts';

/** By field: a short digest of its value. */
export type FieldDigests = Record<string, string>;

export async function fieldFigures(db: Kysely<Database>): Promise<Figure[]> {
  const labels = readFieldLabels();
  const found = await readFields(
    db,
    labels.map(({ id }) => id),
  );
  const known = labels.filter(({ id }) => found.has(id));
  const stillWrong = known.filter(({ id, digests, wrong }) => wrong.some((field) => digests[field] === found.get(id)?.[field]));
  const changed = known.flatMap(({ id, digests }) =>
    Object.entries(digests).flatMap(([field, digest]) => (digest === found.get(id)?.[field] ? [] : [`${id} ${field}`])),
  );
  for (const { id, wrong } of stillWrong) console.error(`wrong field: ${id}: ${wrong.join(', ')}`);
  for (const field of changed) console.error(`changed since it was read: ${field}`);
  return [
    {
      name: 'Events with a wrong field',
      value: `${stillWrong.length} of ${known.length}`,
      command: 'npm run quality',
      note: `read in full on the last day, against their listings; ${changed.length} fields have changed since`,
    },
  ];
}

/** By the id of a listing of the event: one digest for each field that was read. */
export async function readFields(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, FieldDigests>> {
  const { rows } = await sql<{ id: string; fields: Record<string, unknown> }>`
    select external_id as id, json_build_object(
      'title', title, 'start', extract(epoch from event.starts_at)::bigint, 'end', extract(epoch from event.ends_at)::bigint, 'category', category, 'status', event.status, 'performers', performers,
      'price', json_build_array(is_free, price_min, price_max), 'venue', venue.name, 'type', venue.type,
      'neighborhood', venue.neighborhood, 'listings', (select count(*) from record as r where r.event_id = event.id)) as fields
    from record join event on event.id = record.event_id join venue on venue.id = event.venue_id
    where record.external_id = any(${ids}::text[])`.execute(db);
  return new Map(
    rows.map(({ id, fields }) => [
      id,
      Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, digestOf(JSON.stringify(value))])),
    ]),
  );
}

interface FieldLabel {
  id: string;
  digests: FieldDigests;
  wrong: readonly string[];
}

function readFieldLabels(): FieldLabel[] {
  const lines = readFileSync(new URL('labels/fields-2026-06-24.tsv', import.meta.url), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [id = '', digests = '', wrong = ''] = line.split('\t');
      return {
        id,
        digests: Object.fromEntries(digests.split(',').map((pair) => pair.split(':') as [string, string])),
        wrong: wrong.split(',').filter((field) => field !== ''),
      };
    });
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, DIGEST_CHARS);
const DIGEST_CHARS = 8;

/** What a run does to the directory, event by event, told before or after it is done. */

import { type Kysely, sql } from 'kysely';
import type { EventWrite } from '../../catalog/index.ts';
import type { EventPlan } from '../../merge/index.ts';
import type { RunDifference } from '../../sources/index.ts';
import type { Database } from '../../store/index.ts';
import { compareText } from '../../values/compare-text.ts';
import type { EventPiece } from '../write/write-plan.ts';

export async function differenceOf(
  db: Kysely<Database>,
  pieces: readonly EventPiece[],
  plan: Pick<EventPlan, 'mergers' | 'silent'>,
): Promise<RunDifference> {
  const held = await heldEvents(db, [
    ...pieces.map(({ event }) => event.id),
    ...plan.mergers.map(({ id }) => id),
    ...plan.silent,
  ]);
  const difference: RunDifference = { created: [], changed: [], merged: [], cancelled: [], vanished: [] };
  for (const { event } of pieces) {
    const before = held.get(event.id);
    // Nobody sees what the operator has hidden, so nothing about it differs for anybody.
    if (event.isHidden) continue;
    const line = { id: event.id, title: event.title, start: iso(event.startsAt) };
    if (before?.state !== 'published') {
      difference.created.push(line);
      continue;
    }
    const fields = changedFields(before, event);
    if (Object.keys(fields).length === 0) continue;
    difference.changed.push({ id: event.id, title: event.title, fields });
    if (event.status === 'cancelled' && before.status !== 'cancelled') difference.cancelled.push(line);
  }
  for (const { id, into } of plan.mergers) {
    const before = held.get(id);
    if (before) difference.merged.push({ id, title: before.title, into });
  }
  for (const id of plan.silent) {
    const before = held.get(id);
    if (before?.state === 'published') difference.vanished.push({ id, title: before.title, start: String(before.start) });
  }
  for (const lines of Object.values(difference)) lines.sort(inOrder);
  return difference;
}

/** The same run reports the same lines in the same order, however the database returns its rows. */
function inOrder(a: Line, b: Line): number {
  return compareText(a.start ?? '', b.start ?? '') || compareText(a.title, b.title) || compareText(a.id, b.id);
}

interface Line {
  id: string;
  title: string;
  start?: string;
}

interface HeldEvent {
  id: string;
  state: string;
  title: string;
  status: string;
  start: string;
  [field: string]: unknown;
}

async function heldEvents(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, HeldEvent>> {
  const rows = await db.selectFrom('event').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`).execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        state: row.state,
        title: row.title,
        category: row.category,
        start: iso(row.starts_at.getTime()),
        end: row.ends_at && iso(row.ends_at.getTime()),
        precision: row.precision,
        description: row.description,
        image: row.image_url,
        isFree: row.is_free,
        priceMin: row.price_min === null ? null : Number(row.price_min),
        priceMax: row.price_max === null ? null : Number(row.price_max),
        venue: row.venue_id,
        status: row.status,
        performers: row.performers,
        tags: row.tags,
        sources: row.sources,
      },
    ]),
  );
}

function changedFields(before: HeldEvent, event: EventWrite): Record<string, [unknown, unknown]> {
  const after: Record<string, unknown> = {
    title: event.title,
    category: event.category,
    start: iso(event.startsAt),
    end: event.endsAt === null ? null : iso(event.endsAt),
    precision: event.precision,
    description: event.description,
    image: event.imageUrl,
    isFree: event.isFree,
    priceMin: event.priceMin,
    priceMax: event.priceMax,
    venue: event.venueId,
    status: event.status,
    performers: event.performers,
    tags: event.tags,
    sources: event.sources,
  };
  return Object.fromEntries(
    Object.entries(after)
      .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field]))
      .map(([field, value]) => [field, [before[field], value] as [unknown, unknown]]),
  );
}

const iso = (instant: number): string => new Date(instant).toISOString();

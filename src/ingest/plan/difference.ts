/** What a run does to the directory, record by record, told before or after it is done. */

import type { Kysely } from 'kysely';
import type { EventPlan, VenueGroup, VenuePlan } from '../../facts/index.ts';
import {
  changedFields,
  EVENT_FIELDS,
  type EventFields,
  type EventWrite,
  loadStoredEvents,
  loadStoredVenues,
  loadVenueNames,
  reportFields,
  type StoredEvent,
  VENUE_FIELDS,
  type VenueFields,
} from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { compareText } from '../../values/compare-text.ts';
import type { RunDifference, VenueDifference } from '../stored-runs/run-report.ts';
import type { EventPiece } from './write-plan.ts';

export const noDifference = (): RunDifference => ({
  created: [],
  changed: [],
  merged: [],
  cancelled: [],
  vanished: [],
  venues: { created: [], changed: [], merged: [] },
});

export async function differenceOf(
  db: Kysely<Database>,
  pieces: readonly EventPiece[],
  plan: Pick<EventPlan, 'mergers' | 'silent'>,
  venues: Pick<VenuePlan, 'groups' | 'mergers'>,
): Promise<RunDifference> {
  const held = await loadStoredEvents(db, [
    ...pieces.map(({ event }) => event.id),
    ...plan.mergers.map(({ id }) => id),
    ...plan.silent,
  ]);
  const difference: RunDifference = { ...noDifference(), venues: await venueDifferenceOf(db, venues) };
  // Nobody sees what the operator has hidden, so nothing about it differs for anybody.
  for (const { event } of pieces) if (!event.isHidden) noteWrite(difference, event, held.get(event.id));
  for (const { id, into } of plan.mergers) {
    const before = held.get(id);
    if (before) difference.merged.push({ id, title: before.fields.title, into });
  }
  for (const id of plan.silent) {
    const before = held.get(id);
    if (before?.state === 'published') difference.vanished.push(lineOf({ id, ...before.fields }));
  }
  await nameVenues(db, difference, venues.groups);
  const { venues: _, ...events } = difference;
  for (const lines of Object.values(events)) lines.sort(inOrder);
  return difference;
}

function noteWrite(difference: RunDifference, event: EventWrite, before: StoredEvent | undefined): void {
  const line = lineOf(event);
  if (before?.state !== 'published') {
    difference.created.push(line);
    return;
  }
  const fields = {
    ...changedFields<EventFields>(before.fields, event, SHOWN_EVENT_FIELDS),
    ...(before.isUnconfirmed ? { unconfirmed: [true, false] as [unknown, unknown] } : {}),
  };
  if (Object.keys(fields).length === 0) return;
  difference.changed.push({ id: event.id, title: event.title, precision: event.precision, fields });
  if (event.status === 'cancelled' && before.fields.status !== 'cancelled') difference.cancelled.push(line);
}

function lineOf({ id, title, startsAt, precision }: Pick<EventWrite, 'id' | 'title' | 'startsAt' | 'precision'>) {
  return { id, title, start: iso(startsAt), precision };
}

/** People know venues by their names. One that only this run would create has its name in `venues` alone. */
async function nameVenues(
  db: Kysely<Database>,
  { changed }: RunDifference,
  venues: readonly Pick<VenueGroup, 'venue'>[],
): Promise<void> {
  const moved = changed.flatMap(({ fields }) => fields.venue ?? []).map(String);
  const planned = venues.map(({ venue }) => [venue.id, venue.name] as const);
  const names = new Map([...planned, ...(await loadVenueNames(db, moved))]);
  const renamed = new Map(planned);
  for (const { fields } of changed) {
    if (!fields.venue) continue;
    const [from, to] = fields.venue.map(String) as [string, string];
    const pair = [names.get(from) ?? from, renamed.get(to) ?? names.get(to) ?? to] as const;
    // Two venues of one name are told apart by their ids.
    fields.venue = pair[0] === pair[1] ? [`${pair[0]} (${from})`, `${pair[1]} (${to})`] : [...pair];
  }
}

async function venueDifferenceOf(
  db: Kysely<Database>,
  { groups, mergers }: Pick<VenuePlan, 'groups' | 'mergers'>,
): Promise<VenueDifference> {
  const held = await loadStoredVenues(db, [...groups.map(({ venue }) => venue.id), ...mergers.map(({ id }) => id)]);
  const difference: VenueDifference = { created: [], changed: [], merged: [] };
  for (const { venue } of groups) {
    const before = held.get(venue.id);
    const line = { id: venue.id, title: venue.name };
    if (venue.isHidden) continue;
    if (before?.state !== 'published') {
      difference.created.push(line);
      continue;
    }
    const fields = changedFields<VenueFields>(before.fields, venue, SHOWN_VENUE_FIELDS);
    if (Object.keys(fields).length > 0) difference.changed.push({ ...line, fields });
  }
  for (const { id, into } of mergers) {
    const before = held.get(id);
    if (before) difference.merged.push({ id, title: before.fields.name, into });
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

const iso = (instant: number): string => new Date(instant).toISOString();

const SHOWN_EVENT_FIELDS = reportFields(EVENT_FIELDS);
const SHOWN_VENUE_FIELDS = reportFields(VENUE_FIELDS);

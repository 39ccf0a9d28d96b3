/** From what a run has brought to all that is to be written, and what that does to the directory. Reads only. */

import { type Kysely, sql } from 'kysely';
import type { City, Neighborhood } from '../../catalog/index.ts';
import { createCityTime } from '../../city/index.ts';
import { applyVenueCorrections, type ManualChanges, readDecisions } from '../../curation/index.ts';
import { formatClocks, planEvents, planVenues, type VenueGroup, type VenuePlan, type VenueRecord } from '../../merge/index.ts';
import { createLocator, type Locate } from '../../normalize/index.ts';
import { type RunDifference, readBundleRecords, readEventRecords, readOverRecords, readTrusts } from '../../sources/index.ts';
import type { Database } from '../../store/index.ts';
import { SILENCE_MS } from '../unlist-silent.ts';
import type { WritePlan } from '../write/write-plan.ts';
import { buildEvents, type TrustedSource } from './build-events.ts';
import { differenceOf } from './difference.ts';

export interface RunInput extends ManualChanges {
  db: Kysely<Database>;
  /** Milliseconds. */
  now: number;
  city: City;
  neighborhoods: readonly Neighborhood[];
  /** All present venue records, as they are held. */
  venueRecords: readonly VenueRecord[];
}

export interface PlannedRun {
  plan: WritePlan;
  difference: RunDifference;
  remarks: string[];
  clocks: string;
}

export async function planRun(input: RunInput): Promise<PlannedRun> {
  const { db, now, city, neighborhoods, staged, isUndo = false, reachesBack = false } = input;
  const cityTime = createCityTime(city.timezone);
  const decisions = await readDecisions(db);
  const sources = await readSources(db);
  const changedVenues = new Set(staged.venues.map(({ id }) => id));
  const goneVenues = new Set(staged.vanished.map(({ id }) => id));
  const venueRecords = [
    ...input.venueRecords.filter(({ id }) => !changedVenues.has(id) && !goneVenues.has(id)),
    ...staged.venues,
  ];
  const locate = createLocator(neighborhoods);
  const planned = planVenues(venueRecords, {
    locate,
    trustOf: (sourceId) => sources.get(sourceId)?.trust ?? 0,
    decisions: decisions.filter(({ kind }) => kind === 'venue'),
  });
  const venues = { ...planned, groups: await corrected(db, planned, locate) };
  const known = await db.selectFrom('provider_clock').select('clock').execute();
  const from = cityTime.day(now - LOOK_BACK_MS);
  const said = decisions.filter(({ kind }) => kind === 'event');
  const revisit = (input.revisit ?? new Set<string>()).union(await sentTo(db, venues.groups));
  const events = planEvents({
    held: [
      ...(await readEventRecords(db, from, now - SILENCE_MS)),
      ...(await readBundleRecords(db, said, revisit, cityTime)),
      ...(reachesBack ? await readOverRecords(db, said, revisit, from) : []),
    ],
    staged: staged.events,
    gone: new Set(staged.vanished.map(({ id }) => id)),
    knownClocks: known
      .map(({ clock }) => (clock as { line: string }).line)
      .sort()
      .join('\n'),
    decisions: said,
    revisit,
  });
  const built = await buildEvents(events, { db, now, sources, trusts: await readTrusts(db), venueRecords, venues });
  const plan: WritePlan = {
    locate,
    venues: venues.groups,
    venueMergers: venues.mergers,
    events: built.pieces,
    waiting: built.waiting,
    silent: events.silent.map((eventId) => ({ eventId, isRemoved: isUndo })),
    gone: staged.vanished,
    lookedAt: [...events.lookedAt, ...venueRecords.map(({ id }) => id)],
    questions: [
      ...events.asks.map((ask) => ({ kind: 'event' as const, ...ask })),
      ...venues.asks.map((ask) => ({ kind: 'venue' as const, ...ask })),
    ],
    clocks: events.clocks,
  };
  return {
    plan,
    difference: await differenceOf(db, built.pieces, events),
    remarks: events.clocks.findings.map(({ sentence }) => sentence),
    clocks: formatClocks(events.clocks),
  };
}

async function corrected(db: Kysely<Database>, { groups, mergers }: VenuePlan, locate: Locate): Promise<VenueGroup[]> {
  const revived = new Set(groups.filter(({ isRevived }) => isRevived).map(({ said }) => said.id));
  const said = groups.map((group) => group.said);
  const applied = await applyVenueCorrections(db, said, locate, { mergers, revived });
  return groups.map((group, index) => ({ ...group, venue: applied[index]?.record ?? group.said }));
}

/** Records of events that an operator has sent to a venue that stands for itself again. */
async function sentTo(db: Kysely<Database>, groups: readonly VenueGroup[]): Promise<Set<string>> {
  const ids = groups.filter(({ isRevived }) => isRevived).map(({ said }) => said.id);
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select record.id from correction left join event as led on led.id = target_id
      join record on record.event_id = coalesce(led.merged_into, target_id)
    where entity = 'event' and field = 'venue' and revoked_at is null and value #>> '{}' = any(${ids}::text[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

async function readSources(db: Kysely<Database>): Promise<Map<string, TrustedSource>> {
  const rows = await db.selectFrom('source').select(['id', 'name', 'trust', 'last_ok_at', 'created_at']).execute();
  return new Map(
    rows.map((row) => [row.id, { name: row.name, trust: row.trust, confirmedAt: (row.last_ok_at ?? row.created_at).getTime() }]),
  );
}

/** The night that is still going on began yesterday. */
const LOOK_BACK_MS = 36 * 3_600_000;

/** From what a run has brought to all that is to be written, and what that does to the directory. Reads only. */

import type { Kysely } from 'kysely';
import type { City, Neighborhood } from '../../catalog/index.ts';
import { createCityTime } from '../../city/index.ts';
import { applyVenueCorrections, loadRecordsSentTo, type ManualChanges, readDecisions } from '../../curation/index.ts';
import { formatClocks, planEvents, planVenues, type VenueGroup, type VenuePlan, type VenueRecord } from '../../merge/index.ts';
import { createLocator, type Locate } from '../../normalize/index.ts';
import {
  loadClocks,
  loadTrustedSources,
  type RunDifference,
  readBundleRecords,
  readEventRecords,
  readOverRecords,
  readTrusts,
} from '../../sources/index.ts';
import type { Database } from '../../store/index.ts';
import { SILENCE_MS } from '../unlist-silent.ts';
import type { WritePlan } from '../write/write-plan.ts';
import { buildEvents } from './build-events.ts';
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
  const sources = await loadTrustedSources(db);
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
  const known = await loadClocks(db);
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
      .map(({ line }) => line)
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
  const venueIds = groups.filter(({ isRevived }) => isRevived).map(({ said }) => said.id);
  return venueIds.length === 0 ? new Set() : new Set(await loadRecordsSentTo(db, venueIds));
}

/** The night that is still going on began yesterday. */
const LOOK_BACK_MS = 36 * 3_600_000;

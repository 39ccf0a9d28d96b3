/** From what a run has brought to all that is to be written, and what that does to the directory. Reads only. */

import type { Kysely } from 'kysely';
import {
  createLocator,
  type EventRecord,
  formatClocks,
  type Locate,
  planVenues,
  sitesOf,
  type VenueGroup,
  type VenuePlan,
  type VenueRecord,
} from '../../facts/index.ts';
import type { City, Neighborhood } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { serviceDay } from '../../values/named-window.ts';
import { loadRecordsSentTo } from '../decisions/active-corrections.ts';
import { applyVenueCorrections } from '../decisions/apply-corrections.ts';
import { type CoListedNight, learnedAliases, loadCoListings } from '../decisions/co-listings.ts';
import { readDecisions } from '../decisions/decisions.ts';
import { loadEventRecordsAt } from '../records/load-others.ts';
import { readBundleRecords, readEventRecords, readOverRecords } from '../records/read-records.ts';
import { loadClocks } from '../sources/source-state.ts';
import { loadTrustedSources } from '../sources/sources.ts';
import type { RunDifference } from '../stored-runs/run-report.ts';
import { SILENCE_MS } from '../unlist-silent.ts';
import { buildEvents } from './build-events.ts';
import { findCoListings, markContradictions, mergePlaceCandidates } from './co-listings.ts';
import { differenceOf } from './difference.ts';
import { type ChangesToMatch, currentRecords, loadSeries, planWithAnswers } from './series-candidates.ts';
import type { WritePlan } from './write-plan.ts';

export interface RunInput extends ChangesToMatch {
  db: Kysely<Database>;
  /** Milliseconds. */
  now: number;
  city: City;
  neighborhoods: readonly Neighborhood[];
  /** All present venue records, as they are held. */
  venueRecords: readonly VenueRecord[];
}

type Decision = Awaited<ReturnType<typeof readDecisions>>[number];

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
  const venueRecords = currentVenues(input);
  const locate = createLocator(neighborhoods);
  const venueDecisions = decisions.filter(({ kind }) => kind === 'venue');
  const from = cityTime.day(now - LOOK_BACK_MS);
  const present = await readEventRecords(db, from, now - SILENCE_MS);
  const stored = await loadCoListings(db);
  const knownNights = markContradictions(stored, { events: [...present, ...staged.events], venueRecords });
  const aliases = learnedAliases(knownNights, venueDecisions);
  const joined = [...venueDecisions, ...aliases.map(({ left, right }) => ({ left, right, verdict: 'same' as const }))];
  const planned = planVenues(venueRecords, {
    locate,
    trustOf: (sourceId) => sources.get(sourceId)?.trust ?? 0,
    decisions: joined,
  });
  const venues = { ...planned, groups: await corrected(db, planned, locate) };
  const said = decisions.filter(({ kind }) => kind === 'event');
  const series = await loadSeries(db, {
    current: currentRecords(present, staged),
    decisions: said,
    today: serviceDay(now, cityTime),
  });
  const revisit = (input.revisit ?? new Set<string>())
    .union(unheeded(present, said))
    .union(await sentTo(db, venues.groups))
    .union(await atMovedVenues(db, venueRecords, joined, planned))
    .union(series.comingWith([...(input.revisit ?? []), ...series.stale.flatMap(({ left, right }) => [left, right])]));
  const held = [
    ...present,
    ...(await readBundleRecords(db, said, revisit, cityTime)),
    ...(reachesBack ? await readOverRecords(db, said, revisit, from) : []),
  ];
  const events = planWithAnswers(series, {
    held,
    staged: staged.events,
    gone: new Set(staged.vanished.map(({ id }) => id)),
    knownClocks: await knownClocks(db),
    decisions: said,
    revisit,
    siteOf: sitesOf(venueRecords, joined.filter(isSame), planned),
  });
  const matching = { events: [...held, ...staged.events], venueRecords, venues: planned };
  const coListings = findCoListings(events, matching);
  const built = await buildEvents(events, { db, now, sources, venueRecords, venues, cityTime });
  const plan: WritePlan = {
    locate,
    venues: venues.groups,
    venueMergers: venues.mergers,
    events: built.pieces,
    waiting: built.waiting,
    silent: [
      ...events.silent.map((eventId) => ({ eventId, isRemoved: isUndo })),
      ...built.unplaced.map((eventId) => ({ eventId, isRemoved: true })),
    ],
    gone: staged.vanished,
    lookedAt: [...events.lookedAt, ...venueRecords.map(({ id }) => id)],
    candidates: series.once(
      mergePlaceCandidates(events, latest(knownNights, coListings), {
        ...matching,
        decisions: venueDecisions,
        today: cityTime.day(now),
      }),
      new Set(events.lookedAt),
    ),
    staleCandidates: series.stale,
    coListings: latest(
      knownNights.filter((night) => !stored.includes(night)),
      coListings,
    ),
    clocks: events.clocks,
  };
  return {
    plan,
    difference: await differenceOf(db, built.pieces, { ...events, silent: [...events.silent, ...built.unplaced] }, venues),
    remarks: events.clocks.findings.map(({ sentence }) => sentence),
    clocks: formatClocks(events.clocks),
  };
}

/** All present venue records as they are after the run. */
function currentVenues({ venueRecords, staged }: RunInput): VenueRecord[] {
  const replaced = new Set([...staged.venues, ...staged.vanished].map(({ id }) => id));
  return [...venueRecords.filter(({ id }) => !replaced.has(id)), ...staged.venues];
}

const isSame = ({ verdict }: Pick<Decision, 'verdict'>): boolean => verdict === 'same';

async function knownClocks(db: Kysely<Database>): Promise<string> {
  const clocks = await loadClocks(db);
  return clocks
    .map(({ line }) => line)
    .sort()
    .join('\n');
}

async function corrected(db: Kysely<Database>, { groups, mergers }: VenuePlan, locate: Locate): Promise<VenueGroup[]> {
  const revived = new Set(groups.filter(({ isRevived }) => isRevived).map(({ said }) => said.id));
  const said = groups.map((group) => group.said);
  const applied = await applyVenueCorrections(db, said, locate, { mergers, revived });
  return groups.map((group, index) => ({ ...group, venue: applied[index]?.record ?? group.said }));
}

/** Each night once, as this run has found it; a contradiction stays. */
function latest(known: readonly CoListedNight[], found: readonly CoListedNight[]): CoListedNight[] {
  const nights = new Map<string, CoListedNight>();
  for (const night of [...known, ...found]) {
    const key = `${night.left} ${night.right} ${night.night}`;
    nights.set(key, { ...night, isContradicted: night.isContradicted || nights.get(key)?.isContradicted === true });
  }
  return [...nights.values()];
}

/** Records of events at venues that a decision or an alias has made another than before: whether they are one is to be looked at again. */
async function atMovedVenues(
  db: Kysely<Database>,
  records: readonly VenueRecord[],
  pairs: readonly { left: string; right: string }[],
  { venueOf }: VenuePlan,
): Promise<Set<string>> {
  const named = new Set(pairs.flatMap(({ left, right }) => [left, right]));
  const targets = new Set(records.flatMap(({ id, targetId }) => (named.has(id) ? [targetId, venueOf(id)] : [])));
  const moved = records.filter(
    ({ id, targetId }) => targetId !== null && targetId !== venueOf(id) && (targets.has(targetId) || targets.has(venueOf(id))),
  );
  if (moved.length === 0) return new Set();
  const touched = new Set(moved.flatMap(({ id, targetId }) => [targetId, venueOf(id)]));
  const there = records.filter(({ targetId }) => touched.has(targetId)).map(({ id }) => id);
  return new Set(await loadEventRecordsAt(db, there));
}

/** Records of events that the directory has not made what a person decided: whoever wrote the decision may have ended before. */
function unheeded(records: readonly EventRecord[], decisions: readonly Decision[]): Set<string> {
  const targets = new Map(records.flatMap(({ id, targetId, isGone }) => (isGone || targetId === null ? [] : [[id, targetId]])));
  const isHeeded = ({ left, right, verdict }: Decision): boolean =>
    !targets.has(left) || !targets.has(right) || (targets.get(left) === targets.get(right)) === (verdict === 'same');
  return new Set(decisions.flatMap((decision) => (isHeeded(decision) ? [] : [decision.left, decision.right])));
}

/** Records of events that an operator has sent to a venue that stands for itself again. */
async function sentTo(db: Kysely<Database>, groups: readonly VenueGroup[]): Promise<Set<string>> {
  const venueIds = groups.filter(({ isRevived }) => isRevived).map(({ said }) => said.id);
  return venueIds.length === 0 ? new Set() : new Set(await loadRecordsSentTo(db, venueIds));
}

/** The night that is still going on began yesterday. */
const LOOK_BACK_MS = 36 * 3_600_000;

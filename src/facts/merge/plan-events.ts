/** Which event each event record is. Plans only; nothing is written. */

import { DAY_CHARS } from '../../values/duration.ts';
import { type CoListing, clusterEvents } from '../identity/cluster-events.ts';
import { correctedStart, nightOf, type ProviderClocks } from '../identity/compared-event.ts';
import type { EventFacts } from '../identity/compared-facts.ts';
import { detectClocks } from '../identity/detect-clocks.ts';
import { rememberedKinship } from '../identity/place-kinship.ts';
import { assignTargets, type IdAssignment, publicIdOf } from './assign.ts';
import { type EventRecord, eventFacts } from './record.ts';

export interface EventGroup {
  eventId: string;
  members: readonly EventRecord[];
  /** It stood for another event, or for none, and stands for itself again. */
  isRevived: boolean;
}

export interface EventPlan {
  /** Those that differ from what is held. */
  groups: EventGroup[];
  mergers: { id: string; into: string }[];
  /** Events that no record says any longer. */
  silent: string[];
  asks: { left: string; right: string; score: number; evidence: readonly object[] }[];
  /** Pairs of records that are one event but for their places. */
  coListings: readonly CoListing[];
  /** Records whose pairs were looked at. */
  lookedAt: string[];
  clocks: ProviderClocks;
}

export interface PlanInput {
  /** All present records from last night on, as they are held, those that went lately, and those that a person has spoken of. */
  held: readonly EventRecord[];
  /** Those that are new or changed, in their new state. */
  staged: readonly EventRecord[];
  /** Ids of records that are present no longer. */
  gone: ReadonlySet<string>;
  /** What was known of the providers' clocks until now, as `printClocks` prints it. */
  knownClocks: string;
  decisions: readonly { left: string; right: string; verdict: 'same' | 'different' }[];
  /** Records whose nights are to be looked at though nothing about them has changed. */
  revisit?: ReadonlySet<string>;
  /** Of records at venues that people or co-listings have made one: which. */
  siteOf?: (record: EventRecord) => string | undefined;
}

/**
 * A night is matched as a whole and by itself, so only nights that something has changed on are matched again, in their new state; all
 * of them when the clock of a provider is seen in another light.
 */
export function planEvents({ held, staged, gone, knownClocks, decisions, revisit = new Set(), siteOf }: PlanInput): EventPlan {
  const changed = new Map(staged.map((record) => [record.id, record]));
  const records = [...held.filter(({ id, isGone }) => !isGone && !changed.has(id) && !gone.has(id)), ...staged];
  // Of clocks those say something that a run would look at by itself.
  const kinship = rememberedKinship();
  const compared = records.filter(({ isBundle, isOver }) => !isBundle && !isOver);
  const clocks = detectClocks(compared.map(eventFacts), kinship);
  const looksAtAll = formatClocks(clocks) !== knownClocks;
  const nightOfRecord = new Map(records.map((record) => [record.id, nightOf(eventFacts(record), clocks)]));
  const before = held.filter(({ id, isGone }) => !isGone && (changed.has(id) || gone.has(id) || revisit.has(id)));
  const nights = new Set([...before, ...staged].map((record) => nightOf(eventFacts(record), clocks)));
  addDecided(nights, nightOfRecord, decisions);
  const affected = looksAtAll ? records : records.filter(({ id }) => nights.has(nightOfRecord.get(id) ?? ''));

  const byId = new Map(affected.map((record) => [record.id, record]));
  const earlierOf = (id: string) => byId.get(id)?.targetId ?? null;
  const clustered = clusterEvents(
    affected.map((record) => factsAt(record, siteOf?.(record))),
    { clocks, decisions, earlierOf, kinship },
  );
  const orphans = held.filter(({ id, isGone }) => (isGone || gone.has(id)) && !changed.has(id));
  const groups = inherit(
    clustered.groups.map((ids) => ids.flatMap((id) => byId.get(id) ?? [])),
    withoutHeirs(orphans, records),
    { clocks, decisions },
  );
  const assigned = assignTargets(groups, ({ id, firstSeenAt }) => publicIdOf(`${id} again`, firstSeenAt));
  const present = new Set(assigned.groups.map(({ targetId }) => targetId));
  const remaining = withoutHeirs(orphans, records).filter(({ targetId }) => !present.has(targetId ?? ''));
  const mergers = [...assigned.mergers, ...leadToTwins(remaining, assigned.groups, { clocks, decisions })];
  const merged = new Set(mergers.map(({ id }) => id));
  const survivors = new Set(mergers.map(({ into }) => into));
  // Events that have lost a record.
  const left = new Set(before.flatMap(({ id, targetId }) => (gone.has(id) && targetId !== null ? [targetId] : [])));
  for (const { targetId, members } of assigned.groups) {
    for (const member of members) if (member.targetId !== null && member.targetId !== targetId) left.add(member.targetId);
  }
  const touched = assigned.groups.filter(
    ({ targetId, members }) =>
      looksAtAll ||
      left.has(targetId) ||
      survivors.has(targetId) ||
      members.some((member) => changed.has(member.id) || revisit.has(member.id) || member.targetId !== targetId),
  );
  return {
    groups: touched.map(({ targetId, members }) => ({
      eventId: targetId,
      members,
      isRevived: members.every((member) => member.targetId !== targetId),
    })),
    mergers,
    silent: [...left].filter((id) => !present.has(id) && !merged.has(id)),
    asks: clustered.asks.map(({ left: a, right: b, verdict: { score, evidence } }) => ({ left: a, right: b, score, evidence })),
    coListings: clustered.coListings,
    lookedAt: affected.map(({ id }) => id),
    clocks,
  };
}

function factsAt(record: EventRecord, site: string | undefined): EventFacts {
  const facts = eventFacts(record);
  return site === undefined ? facts : { ...facts, place: { ...facts.place, site } };
}

/** Records that have gone and left an event that no present record is. */
function withoutHeirs(gone: readonly EventRecord[], records: readonly EventRecord[]): EventRecord[] {
  const inUse = new Set(records.map(({ targetId }) => targetId));
  return gone.filter(({ targetId }) => targetId !== null && !inUse.has(targetId));
}

/**
 * Providers give the same event a new id now and then. What is new and the same as what has gone takes over its event, so that nothing is
 * listed twice and the event keeps its id. Only groups that are no event yet inherit; what is present is matched without the gone.
 */
function inherit(
  groups: readonly (readonly EventRecord[])[],
  orphans: readonly EventRecord[],
  context: Parameters<typeof clusterEvents>[1],
): (readonly EventRecord[])[] {
  const fresh = new Map(
    groups.filter((group) => group.every(({ targetId }) => targetId === null)).map((group) => [group[0]?.id, group]),
  );
  if (fresh.size === 0 || orphans.length === 0) return [...groups];
  const groupOf = new Map([...fresh].flatMap(([key, group]) => group.map(({ id }) => [id, key] as const)));
  const legacyOf = new Map(orphans.map(({ id, targetId }) => [id, targetId]));
  const candidates = [...fresh.values()].flat().concat(orphans);
  const legacies = new Map<string | undefined, string>();
  const given = new Set<string>();
  for (const ids of clusterEvents(candidates.map(eventFacts), context).groups) {
    const successor = ids.map((id) => groupOf.get(id)).find((key) => key !== undefined && !legacies.has(key));
    const legacy = ids.map((id) => legacyOf.get(id)).find((targetId) => typeof targetId === 'string' && !given.has(targetId));
    if (successor === undefined || typeof legacy !== 'string') continue;
    legacies.set(successor, legacy);
    given.add(legacy);
  }
  return groups.map((group) => {
    const targetId = legacies.get(group[0]?.id);
    return targetId === undefined ? group : group.map((record, index) => (index === 0 ? { ...record, targetId } : record));
  });
}

/**
 * Events whose listings have all gone lead to the event that others list at the same hour: it is the same one, and was never met before
 * its listings went. A listing without an hour brings nothing together here, as it may mean another performance of that day.
 */
function leadToTwins(
  orphans: readonly EventRecord[],
  groups: readonly IdAssignment<EventRecord>[],
  context: Parameters<typeof clusterEvents>[1],
): { id: string; into: string }[] {
  const knowsHour = ({ facts }: EventRecord) => facts.precision === 'time';
  const gone = orphans.filter(knowsHour);
  const nights = new Set(gone.map(({ night }) => night));
  const present = groups.flatMap(({ targetId, members }) =>
    members.filter((member) => knowsHour(member) && nights.has(member.night)).map((member) => ({ member, targetId })),
  );
  if (gone.length === 0 || present.length === 0) return [];
  const eventOf = new Map(present.map(({ member, targetId }) => [member.id, targetId]));
  const goneEventOf = new Map(gone.map(({ id, targetId }) => [id, targetId]));
  const leads = new Map<string, Set<string>>();
  for (const ids of clusterEvents([...gone, ...present.map(({ member }) => member)].map(eventFacts), context).groups) {
    const [into, ...others] = new Set(ids.flatMap((id) => eventOf.get(id) ?? []));
    if (into === undefined || others.length > 0) continue;
    for (const id of ids.flatMap((each) => goneEventOf.get(each) ?? [])) leads.set(id, (leads.get(id) ?? new Set()).add(into));
  }
  return [...leads].flatMap(([id, [into, ...others]]) => (into === undefined || others.length > 0 ? [] : [{ id, into }]));
}

/**
 * The start as it is believed: the listing's own, or put right where its provider's clock is known to be off. `midnightOf`: the first
 * instant of a local day, which lies an hour nearer or farther on a day on which clocks change.
 */
export function believedStart(
  record: EventRecord,
  clocks: ProviderClocks,
  midnightOf: (day: string) => number,
): ReturnType<typeof correctedStart> {
  const start = correctedStart(eventFacts(record), clocks);
  return start.finding?.kind === 'placeholder' ? { ...start, startsAt: midnightOf(start.localStart.slice(0, DAY_CHARS)) } : start;
}

/** A person's "same" reaches over nights: the whole chain is looked at together. */
function addDecided(nights: Set<string>, nightOfRecord: ReadonlyMap<string, string>, decisions: PlanInput['decisions']): void {
  const joined = decisions.filter(({ verdict }) => verdict === 'same');
  for (let grew = joined.length > 0; grew; ) {
    grew = false;
    for (const { left, right } of joined) {
      const [a, b] = [nightOfRecord.get(left), nightOfRecord.get(right)];
      if (a === undefined || b === undefined || nights.has(a) === nights.has(b)) continue;
      nights.add(a).add(b);
      grew = true;
    }
  }
}

/** What makes a difference to matching; on how much it was found does not. */
export function formatClocks({ findings }: ProviderClocks): string {
  const lines = findings.map(({ provider, kind, clock, hours }) => JSON.stringify([provider, kind, clock, hours]));
  return lines.sort().join('\n');
}

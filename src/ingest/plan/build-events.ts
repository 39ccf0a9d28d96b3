/** Planned groups become events: fields merged of all their records, the venue found, the score computed. */

import type { Kysely } from 'kysely';
import {
  type BundleListing,
  believedStart,
  bundleWord,
  byAge,
  type EventGroup,
  type EventPlan,
  type EventRecord,
  linksOf,
  type MergedEvent,
  mergeEvent,
  type ProviderClocks,
  type VenuePlan,
  type VenueRecord,
  venueFinder,
  type Word,
  wordOf,
} from '../../facts/index.ts';
import { scoreFacts } from '../../ranking/index.ts';
import { loadSignals, loadVenueScoreFacts, loadVenuesOfEvents, type VenueScoreFacts } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import type { CityTime } from '../../values/city-time.ts';
import { applyEventCorrections, type Corrected } from '../decisions/apply-corrections.ts';
import { UNNAMED_KEY } from '../decisions/place-answers.ts';
import { readListingsOf } from '../records/read-records.ts';
import { readContexts } from '../scores/listed-events.ts';
import { contextAlone, scoreOf, type UnscoredEvent } from '../scores/score-events.ts';
import type { TrustedSource } from '../sources/sources.ts';
import type { EventPiece } from './write-plan.ts';

export interface BuildContext {
  db: Kysely<Database>;
  now: number;
  sources: ReadonlyMap<string, TrustedSource>;
  venueRecords: readonly VenueRecord[];
  venues: VenuePlan;
  cityTime: Pick<CityTime, 'dayBounds'>;
}

export interface Built {
  pieces: EventPiece[];
  /** Records whose place nobody knows yet. */
  waiting: EventRecord[];
  /** Events that were listed where a person said, until the answer was taken back. */
  unplaced: string[];
}

export async function buildEvents(plan: EventPlan, context: BuildContext): Promise<Built> {
  const { db, now, venues } = context;
  const wordsOf = await readWords(plan, context);
  const held = await loadVenuesOfEvents(
    db,
    plan.groups.map(({ eventId }) => eventId),
  );
  const findVenue = venueFinder(context);
  const waiting: EventRecord[] = [];
  const unplaced: string[] = [];
  const placed = plan.groups.flatMap((group) => {
    const words = wordsOf.sources(group);
    const own = wordsOf.bundle(group, words);
    const before = held.get(group.eventId);
    const wasAnswered = before !== undefined && group.members.every((member) => isAnsweredAt(before, member, venues));
    const venueId =
      (own ? venues.venueOfKey(own.sourceId, own.venueKey) : findVenue(group, words)) ?? (wasAnswered ? undefined : before);
    if (venueId === undefined) {
      if (wasAnswered) unplaced.push(group.eventId);
      waiting.push(...group.members.filter(({ listing }) => listing !== null));
      return [];
    }
    return [{ group, said: { ...(own?.said ?? mergeEvent(words)), id: group.eventId, venueId } }];
  });
  const revived = new Set(plan.groups.filter(({ isRevived }) => isRevived).map(({ eventId }) => eventId));
  const applied = await applyEventCorrections(
    db,
    placed.map(({ said }) => said),
    { mergers: plan.mergers, revived },
  );
  const venueFacts = await readVenueFacts(
    db,
    applied.map(({ record }) => record.venueId),
    venues,
  );
  const signals = await loadSignals(
    db,
    plan.groups.map(({ eventId }) => eventId),
  );
  const absorbed = Map.groupBy(plan.mergers, ({ into }) => into);
  const merged = placed.flatMap(({ group, said }, index) => {
    const { record, isHidden, print } = applied[index] ?? uncorrected(said);
    const venue = venueFacts.get(record.venueId);
    if (venue) return [{ group, said, event: record, isHidden, corrections: print }];
    waiting.push(...group.members.filter(({ listing }) => listing !== null));
    return [];
  });
  const hidden = merged.filter(({ isHidden }) => isHidden).map(({ event }) => event.id);
  const { contexts } = await readContexts(db, now, {
    events: merged.flatMap(({ event, isHidden }) => (isHidden ? [] : [event])),
    venues: venueFacts,
    without: [...plan.mergers.map(({ id }) => id), ...plan.silent, ...hidden],
  });
  const pieces = merged.map(({ group, said, event, isHidden, corrections }): EventPiece => {
    const facts = scoreFacts(event, contexts.get(event.id) ?? contextAlone(), signals.get(event.id) ?? []);
    return {
      event: { ...event, ...scoreOf(facts, now), ...(isHidden ? { isHidden } : {}) },
      said,
      corrections,
      isRevived: group.isRevived,
      members: group.members,
      absorbs: (absorbed.get(event.id) ?? []).map(({ id }) => id),
    };
  });
  return { pieces, waiting, unplaced };
}

/** Whether nothing but an answer about its source has brought a listing to a venue. */
const isAnsweredAt = (venueId: string, { sourceId, facts }: EventRecord, venues: VenuePlan): boolean =>
  facts.place.name === '' && venues.venueOfKey(sourceId, UNNAMED_KEY) === venueId;

const uncorrected = (said: UnscoredEvent): Corrected<UnscoredEvent> => ({ record: said, isHidden: false, print: '' });

async function readWords(
  { groups, clocks }: { groups: readonly EventGroup[]; clocks: ProviderClocks },
  { db, sources, now, cityTime }: BuildContext,
): Promise<{
  /** Of the sources. */
  sources: (group: EventGroup) => Word[];
  /** Of the bundle that lists it, of several the first, beside those of the sources; null where none does. */
  bundle: (group: EventGroup, sources: readonly Word[]) => { said: MergedEvent; sourceId: string; venueKey: string } | null;
}> {
  const unread = groups.flatMap(({ members }) => members.filter(({ listing }) => listing === null).map(({ id }) => id));
  const listings = await readListingsOf(db, unread);
  const midnightOf = (day: string): number => cityTime.dayBounds(day).first;
  const wordsOf = ({ members }: EventGroup): Word[] =>
    members.flatMap((member) => {
      const listing = member.listing ?? listings.get(member.id);
      if (!listing || member.isBundle) return [];
      const source = sources.get(member.sourceId);
      const word = {
        id: member.id,
        provider: member.facts.provider,
        trust: source?.trust ?? 0,
        confirmedAt: member.listing ? now : (source?.confirmedAt ?? now),
      };
      return wordOf(word, listing, believedStart(member, clocks, midnightOf));
    });
  return {
    sources: wordsOf,
    bundle(group, words) {
      const [first, ...others] = group.members
        .filter(({ isBundle }) => isBundle)
        .sort(byAge)
        .flatMap(({ id, sourceId }) => ({ sourceId, listing: listings.get(id) as unknown as BundleListing }));
      if (!first) return null;
      const { sourceId, listing } = first;
      const providers = [...others.flatMap((other) => other.listing.sources), ...words.map(({ provider }) => provider)];
      return { said: { ...bundleWord(listing, providers), links: linksOf(words) }, sourceId, venueKey: listing.venue };
    },
  };
}

async function readVenueFacts(
  db: Kysely<Database>,
  ids: readonly string[],
  { groups }: VenuePlan,
): Promise<Map<string, VenueScoreFacts>> {
  const facts = await loadVenueScoreFacts(db, ids);
  for (const { venue } of groups) {
    const { id, type, capacityTier, isVerified } = venue;
    facts.set(id, { type, capacityTier, isVerified });
  }
  return facts;
}

/** What `include=` can add to an event, read from its own bytes. */

import { decodeContext, discoveryScore, explainTrend, momentumOf, scoreFacts } from '../../ranking/index.ts';
import { type EventDetail, LISTED_STATUSES, LOCATION_PRECISIONS } from '../../records/index.ts';
import { type CityTime, createCityTime } from '../../values/city-time.ts';
import { parseHistory, parseLifecycle } from '../directory/render-event.ts';
import type { EventExtras, EventLifecycle, VenueExtras } from '../query.ts';
import { RECORD, type SnapshotData } from '../snapshot-data.ts';

/** The breakdown of a score replays the moment it was computed, that of a trend the moment of the trends; totals are those shown. */
export function createExtras(
  { city, events, venues, trends }: SnapshotData,
  json: readonly Buffer[],
): (rank: number) => EventExtras {
  let cityTime: CityTime | null = null;
  return (rank) => {
    const record = rank * RECORD.words;
    const chunk = json[events.records[record + RECORD.chunk]!]!;
    const offset = events.records[record + RECORD.offset]!;
    const detailEnd = offset + events.records[record + RECORD.detailBytes]!;
    const extrasEnd = detailEnd + events.records[record + RECORD.extrasBytes]!;
    const event = JSON.parse(`${chunk.toString('utf8', offset, detailEnd)}}`) as EventDetail;
    const history = parseHistory(chunk.toString('utf8', detailEnd, extrasEnd));
    const endsAt = event.endDatetime === null ? null : Date.parse(event.endDatetime);
    const { status, precision } = history;
    const scored = { ...event, status, precision, startsAt: events.starts[rank]!, endsAt };
    const facts = scoreFacts(scored, decodeContext(history.showing, history.context), history.signals);
    const isComing =
      events.latests[rank]! >= trends.generatedAt && (LISTED_STATUSES as readonly string[]).includes(history.status);
    const trendScore = trends.scores[rank]!;
    const momentum = momentumOf({ ...event, venueId: event.venue.id, ...history }, trends.generatedAt);
    cityTime ??= createCityTime(city.timezone);
    return {
      status: history.status,
      startPrecision: history.precision,
      organizer: history.organizer,
      locationPrecision: LOCATION_PRECISIONS[venues.precision[events.venue[rank]!]!]!,
      timezone: city.timezone,
      currency: city.currency,
      sources: event.sources,
      tags: event.tags,
      performers: event.performers,
      score: {
        discoveryScore: event.discoveryScore,
        trendScore,
        signals: discoveryScore(facts, history.scoredAt).signals,
        trendSignals: isComing ? explainTrend(momentum, trends.peers, trendScore) : [],
      },
      updatedAt: cityTime.format(history.updatedAt),
    };
  };
}

/** Of a venue by its slot. */
export const createVenueExtras =
  ({ venues }: SnapshotData): ((slot: number) => VenueExtras) =>
  (slot) => ({ locationPrecision: LOCATION_PRECISIONS[venues.precision[slot]!]! });

export function createLifecycles(
  { events: { records } }: SnapshotData,
  json: readonly Buffer[],
): (rank: number) => EventLifecycle {
  return (rank) => {
    const record = rank * RECORD.words;
    const from = records[record + RECORD.offset]! + records[record + RECORD.detailBytes]!;
    const bytes = Math.min(records[record + RECORD.extrasBytes]!, MAX_LIFECYCLE_BYTES);
    return parseLifecycle(json[records[record + RECORD.chunk]!]!.toString('latin1', from, from + bytes));
  };
}

/** Two words and two numbers with their names, and the name that comes next. */
const MAX_LIFECYCLE_BYTES = 200;

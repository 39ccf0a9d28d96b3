/** What `include=` can add to an event, read from its own bytes. */

import { type CityTime, createCityTime } from '../catalog/index.ts';
import { discoveryScore } from '../ranking/index.ts';
import type { EventExtras } from './query.ts';
import { parseHistory } from './render-event.ts';
import { RECORD, type SnapshotData } from './snapshot-data.ts';

interface EventJson {
  discoveryScore: number;
  endDatetime: string | null;
  description: string | null;
  imageUrl: string | null;
  priceMin: number | null;
  venue: { capacityTier: 'intimate' | 'small' | 'medium' | 'large' | null };
  performers: string[];
  tags: string[];
  sources: string[];
}

/** The breakdown of the score replays the moment it was computed; the total is the one that is shown. */
export function createExtras(
  { city, events, venues, trends, trust }: SnapshotData,
  json: readonly Buffer[],
): (rank: number) => EventExtras {
  let cityTime: CityTime | null = null;
  return (rank) => {
    const record = rank * RECORD.words;
    const chunk = json[events.records[record + RECORD.chunk]!]!;
    const offset = events.records[record + RECORD.offset]!;
    const detailEnd = offset + events.records[record + RECORD.detailBytes]!;
    const extrasEnd = detailEnd + events.records[record + RECORD.extrasBytes]!;
    const event = JSON.parse(`${chunk.toString('utf8', offset, detailEnd)}}`) as EventJson;
    const history = parseHistory(chunk.toString('utf8', detailEnd, extrasEnd));
    const { sources, tags, performers } = event;
    const trusts = sources.map((name) => trust.find((source) => source.name === name)?.trust ?? UNKNOWN_TRUST);
    const breakdown = discoveryScore(
      {
        hasDescription: event.description !== null,
        hasImage: event.imageUrl !== null,
        hasEnd: event.endDatetime !== null,
        hasPrice: event.priceMin !== null,
        performers: performers.length,
        sources: {
          count: sources.length,
          trust: trusts.length === 0 ? UNKNOWN_TRUST : trusts.reduce((sum, one) => sum + one, 0) / trusts.length,
        },
        venue: { capacityTier: event.venue.capacityTier, isVerified: venues.verified[events.venue[rank]!] === 1 },
        startsAt: events.starts[rank]!,
        signals: history.signals,
      },
      history.scoredAt,
    );
    cityTime ??= createCityTime(city.timezone);
    return {
      status: history.status,
      timezone: city.timezone,
      currency: city.currency,
      sources,
      tags,
      performers,
      score: { discoveryScore: event.discoveryScore, trendScore: trends.scores[rank]!, signals: breakdown.signals },
      updatedAt: cityTime.format(history.updatedAt),
    };
  };
}

/** As the store's default for a source. */
const UNKNOWN_TRUST = 0.5;

/** Events as the contract's JSON, in layers that are prefixes of each other, so that each byte is kept once. */

import {
  type EventLink,
  type EventStatus,
  type Organizer,
  runKey,
  SIGNAL_KINDS,
  type Signal,
  type StartPrecision,
} from '../../records/index.ts';
import type { CityTime } from '../../values/city-time.ts';
import type { EventLifecycle } from '../query.ts';
import type { EventRow } from '../rows.ts';
import type { VenueCard } from './render-venue.ts';

/**
 *     compact  {"id":…,"discoveryScore":71               compact answer = compact + }
 *     list     ,"slug":…,"venue":{…,"longitude":-73.9    list answer    = compact + list + }}
 *     detail   ,"address":…},…,"sources":[…]             detail answer  = compact + list + detail + }
 *     extras   {"status":…}                              for `include=`, never shown as it stands
 */
export interface RenderedEvent {
  compact: string;
  list: string;
  detail: string;
  extras: string;
}

export const EVENT_CLOSINGS = { compact: '}', list: '}}', detail: '}' } as const;

export function renderEvent(event: EventRow, venue: VenueCard, cityTime: CityTime, publicUrl: string): RenderedEvent {
  const compact = JSON.stringify({
    id: event.id,
    title: event.title,
    category: event.category,
    startDatetime: cityTime.format(event.startsAt),
    isFree: event.isFree,
    discoveryScore: event.discoveryScore,
  });
  const list = JSON.stringify({
    slug: event.slug,
    endDatetime: event.endsAt === null ? null : cityTime.format(event.endsAt),
    description: event.description,
    imageUrl: event.imageUrl?.startsWith('/') ? publicUrl + event.imageUrl : event.imageUrl,
    priceMin: event.priceMin,
    priceMax: event.priceMax,
    url: `${publicUrl}/events/${event.slug}`,
  });
  const detail = JSON.stringify({ performers: event.performers, tags: event.tags, sources: event.sources });
  return {
    compact: compact.slice(0, -1),
    list: `,${list.slice(1, -1)},"venue":${venue.list}`,
    detail: `${venue.detail},${detail.slice(1, -1)}`,
    extras: JSON.stringify({
      status: event.status,
      precision: event.precision,
      updatedAt: event.updatedAt,
      revision: event.revision ?? 0,
      scoredAt: event.scoredAt,
      signals: event.signals.map(({ kind, value, observedAt }) => [SIGNAL_KINDS.indexOf(kind), value, observedAt]),
      run: runKey(event.title),
      showing: event.showing ?? 1,
      context: event.context ?? null,
      scores: event.scores.map(({ day, score }) => [day, score]),
      links: event.links ?? [],
      organizer: event.organizer ? organizerOf(event.organizer) : null,
      movedFrom: event.previousStartsAt == null ? null : cityTime.format(event.previousStartsAt),
    }),
  };
}

/** In the order of the schema; the database keeps the members of an object by their length. */
const organizerOf = ({ name, url }: Organizer): Organizer => ({ name, url });

/** The extras as they were rendered, read again. */
export interface EventHistory {
  status: EventStatus;
  precision: StartPrecision;
  updatedAt: number;
  revision: number;
  scoredAt: number;
  signals: Signal[];
  run: string;
  showing: number;
  context: number[] | null;
  scores: { day: string; score: number }[];
  links: EventLink[];
  organizer: Organizer | null;
  /** City time with offset. */
  movedFrom: string | null;
}

/** The first members of the extras alone: what comes after them is long. */
export function parseLifecycle(extras: string): EventLifecycle {
  const { status, precision, updatedAt, revision } = JSON.parse(
    `${extras.slice(0, extras.indexOf(AFTER_LIFECYCLE))}}`,
  ) as EventHistory;
  return { status, startPrecision: precision, updatedAt, revision };
}
const AFTER_LIFECYCLE = ',"scoredAt":';

export function parseHistory(extras: string): EventHistory {
  const { signals, scores, ...others } = JSON.parse(extras) as Omit<EventHistory, 'signals' | 'scores'> & {
    signals: [kind: number, value: number, observedAt: number][];
    scores: [day: string, score: number][];
  };
  return {
    ...others,
    signals: signals.map(([kind, value, observedAt]) => ({ kind: SIGNAL_KINDS[kind]!, value, observedAt })),
    scores: scores.map(([day, score]) => ({ day, score })),
  };
}

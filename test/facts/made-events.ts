/** Events that nobody held, for the tests of identity. */

import type { EventFacts } from '../../src/facts/index.ts';

/** `start` is a local clock, `YYYY-MM-DDThh:mm`; of a date alone the hour is unknown. The made-up city keeps UTC. */
export function event(
  said: Partial<Omit<EventFacts, 'place'>> & { start?: string; at?: Partial<EventFacts['place']> | string } = {},
): EventFacts {
  const { start = '2031-05-02T20:00', at = {}, ...facts } = said;
  const localStart = start.length === 10 ? `${start}T00:00` : start;
  const id = facts.id ?? `${facts.provider ?? 'Atlas'}:${facts.title ?? 'Harbour Choir'}:${localStart}`;
  return {
    id,
    provider: 'Atlas',
    externalId: id,
    seriesId: null,
    title: 'Harbour Choir',
    category: 'concert',
    startsAt: Date.parse(`${localStart}:00Z`),
    endsAt: null,
    precision: start.length === 10 ? 'date' : 'time',
    localStart,
    place: { ...OLD_MILL, ...(typeof at === 'string' ? { ...NO_POINT, name: at } : at) },
    performers: [],
    url: null,
    ...facts,
  };
}

export const OLD_MILL = { name: 'Old Mill', address: null, latitude: 40.70001, longitude: -73.95001 };
const NO_POINT = { latitude: null, longitude: null };

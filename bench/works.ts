/** The requests whose cost is measured, and the ceiling each has, as a multiple of bare `node:http` sending the same bytes. */

export interface Work {
  name: string;
  /** Null: told, not asked for. */
  atMost: number | null;
  paths: readonly string[];
}

/** `eventIds`: some ids of events; `now`: ms; `epoch`: of the change log. */
export function works(eventIds: readonly string[], now: number, epoch: string): Work[] {
  const day = (n: number) => new Date(now + n * 86_400_000).toISOString().slice(0, 10);
  const many = <T>(values: readonly T[], path: (value: T) => string) => values.map(path);
  const pageAfter = (sequence: number) => `/api/v1/changes?entity=event&limit=100&after=${epoch}.${sequence}`;
  return [
    { name: 'default list', atMost: 1.6, paths: ['/api/v1/events'] },
    {
      name: 'one filter',
      atMost: 1.6,
      paths: many(['concert', 'sports', 'comedy', 'theater', 'festival', 'food'], (c) => `/api/v1/events?category=${c}`),
    },
    {
      name: 'three filters',
      atMost: 1.6,
      paths: many(
        [3, 14, 27, 42, 58, 73],
        (n) => `/api/v1/events?category=concert&free=true&start_date=${day(n % 7)}&end_date=${day(20 + (n % 9))}`,
      ),
    },
    { name: 'deep offset', atMost: 1.6, paths: many([5_000, 11_111, 20_000, 31_000], (n) => `/api/v1/events?offset=${n}`) },
    {
      name: 'q, one common word',
      atMost: 2,
      paths: many(['music', 'night', 'live', 'jazz', 'dance'], (q) => `/api/v1/events?q=${q}`),
    },
    {
      name: 'q, two words',
      atMost: 2,
      paths: many(['music night', 'live jazz', 'dance music', 'night live'], (q) => `/api/v1/events?q=${encodeURIComponent(q)}`),
    },
    {
      name: 'ask, a word and filters',
      // Three times what q may cost.
      atMost: 6,
      paths: many(
        ['free jazz tonight', 'live music this weekend', 'dance tomorrow night', 'concerts under $20', 'music night'],
        (text) => `/api/v1/events?ask=${encodeURIComponent(text)}`,
      ),
    },
    { name: 'page of 100 changes of events', atMost: 2, paths: many([0, 150, 300, 450, 600, 750], (n) => pageAfter(n)) },
    {
      name: 'page of 100 changes of events that nobody has read yet',
      atMost: null,
      paths: Array.from({ length: UNREAD_PAGES }, (_, n) => pageAfter(n)),
    },
    { name: 'event by id', atMost: 1.5, paths: many(eventIds, (id) => `/api/v1/events/${id}`) },
  ];
}

/** More bytes than the service keeps of answers. */
const UNREAD_PAGES = 600;

import { afterAll, beforeAll, expect, test } from 'vitest';
import { callTool } from '../support/rigs/mcp.ts';
import { type DemoService, startDemoService } from '../support/rigs/service.ts';

/** The first one after `DEMO_NOW`. */
const saturday = '2026-11-21';

let service: DemoService;
beforeAll(async () => {
  // Two o'clock in the night to Saturday.
  service = await startDemoService({ MARQUEE_NOW: `${saturday}T02:00:00-06:00` });
});
afterAll(() => service.stop());

type Args = Record<string, unknown>;
interface Mistake {
  what: string;
  tool?: string;
  /** Without a key. */
  isAnonymous?: true;
  first: Args | ((place: Place) => Args);
  /** What the answer must say. */
  says: RegExp;
  /** The second call, from what the answer said. */
  second(said: RegExpExecArray, first: Args): { tool?: string | undefined; args: Args };
}
interface Place {
  latitude: number;
  longitude: number;
  event: { id: string; url: string };
  venue: { id: string; url: string };
}

/** Says "did you mean X?" of an argument's value: the same call with X. */
const value = (what: string, name: string, wrong: unknown, right: string, tool = 'search_events'): Mistake => ({
  what,
  tool,
  first: { [name]: wrong },
  says: new RegExp(`did you mean (${right})\\?`),
  second: ([, meant], first) => ({ args: { ...first, [name]: Array.isArray(wrong) ? [meant] : meant } }),
});
/** Says "did you mean X?" of an argument's name: the same value under X. */
const name = (wrong: string, right: string, given: unknown, sent: unknown = given, tool = 'search_events'): Mistake => ({
  what: `${wrong} for ${right}`,
  tool,
  first: { [wrong]: given },
  says: new RegExp(`"${wrong}" is not an argument of this tool; did you mean (${right})`),
  second: ([, meant = '']) => ({ args: { [meant]: sent } }),
});

const MISTAKES: Mistake[] = [
  value('misspelt category', 'category', ['conecrt'], 'concert'),
  value('category of another list', 'category', ['theatre'], 'theater'),
  value('misspelt venue type', 'type', ['brewry'], 'brewery', 'search_venues'),
  value('misspelt capacity', 'capacity', ['meduim'], 'medium', 'search_venues'),
  value('misspelt neighborhood', 'neighborhood', 'tanery-row', 'tannery-row'),
  value('part of a neighborhood', 'neighborhood', 'gaslight', 'gaslight-quay'),
  value('neighborhood of venues', 'neighborhood', 'harborfrnt', 'harborfront', 'search_venues'),
  value('words for time: week', 'when', 'week', 'this_week'),
  value('words for time: month', 'when', 'month', 'next_30_days'),
  value('misspelt weekday', 'when', 'satruday', 'saturday'),
  value('misspelt time', 'when', 'tommorow', 'tomorrow'),
  value('unknown sort', 'sort', 'scores_', 'score'),
  value('unknown overview time', 'when', 'this weeknd', 'this_weekend', 'city_overview'),
  name('query', 'q', 'jazz'),
  name('keyword', 'q', 'jazz'),
  name('start_date', 'from', saturday),
  name('categories', 'category', ['concert']),
  name('max_price', 'price_max', 20),
  name('neighbourhood', 'neighborhood', 'millrace'),
  name('radius', 'radius_m', 800, 800),
  name('page', 'cursor', 2, 'o8'),
  name('max_results', 'limit', 5),
  name('bbox', 'area', [-88, 43, -87, 44], { west: -88, south: 43, east: -87, north: 44 }),
  name('lat', 'near', 43.5, { latitude: 43.57, longitude: -87.85 }),
  name('name', 'q', 'arena', 'arena', 'search_venues'),
  {
    what: 'swapped coordinates beyond a pole',
    first: ({ latitude, longitude }) => ({ near: { latitude: longitude * 1.1, longitude: latitude } }),
    says: /near\.latitude must be from -90 to 90, got -\d+[.\d]*; did you swap latitude and longitude\?/,
    second: () => ({ args: { near: { latitude: 43.57, longitude: -87.85 }, radius_m: 20_000 } }),
  },
  {
    what: 'swapped coordinates that exist',
    first: ({ latitude, longitude }) => ({ near: { latitude: longitude, longitude: latitude }, radius_m: 20_000 }),
    says: /Nothing is near latitude (-[\d.]+), longitude ([\d.]+)\. Did you swap latitude and longitude\?/,
    second: ([, longitude, latitude]) => ({
      args: { near: { latitude: Number(latitude), longitude: Number(longitude) }, radius_m: 20_000 },
    }),
  },
  {
    what: 'swapped coordinates of venues',
    tool: 'search_venues',
    first: ({ latitude, longitude }) => ({ near: { latitude: longitude, longitude: latitude } }),
    says: /Did you swap latitude and longitude\?/,
    second: (_, { near }) => {
      const { latitude, longitude } = near as { latitude: number; longitude: number };
      return { args: { near: { latitude: longitude, longitude: latitude } } };
    },
  },
  {
    what: 'coordinates by position',
    first: ({ latitude, longitude }) => ({ near: [latitude, longitude] }),
    says: /near must be an object with latitude, longitude, each a number in degrees; got \[([-\d.]+),([-\d.]+)\]/,
    second: ([, latitude, longitude]) => ({ args: { near: { latitude: Number(latitude), longitude: Number(longitude) } } }),
  },
  {
    what: 'swapped area',
    first: { area: { west: 43, south: -88, east: 44, north: -87 } },
    says: /Did you swap latitude and longitude in area\?/,
    second: () => ({ args: { area: { west: -88, south: 43, east: -87, north: 44 } } }),
  },
  {
    what: 'past dates',
    first: { from: '2024-05-01', to: '2024-05-03' },
    says: /These dates are in the past: today is Sat, (\w+ \d+, \d{4})\./,
    second: ([, today = '']) => ({ args: { from: new Date(`${today} UTC`).toISOString().slice(0, 10) } }),
  },
  {
    what: 'an end in the past',
    first: { to: '2024-05-03' },
    says: /to must not be before now: it is .*, to is 2024-05-03/,
    second: () => ({ args: { when: 'this_weekend' } }),
  },
  {
    what: 'an impossible date',
    first: { from: '2026-02-30' },
    says: /from .*(date|day|exist)/,
    second: () => ({ args: { from: saturday } }),
  },
  {
    what: '"tonight" at 2 a.m.',
    first: { when: 'tonight', category: ['concert'] },
    says: /It is 2:00 AM on Sat, [^.]*this night ends at 5:00 AM\. .* use from (\S+) and to (\S+)\./,
    second: ([, from, to], { category }) => ({ args: { from, to, category } }),
  },
  {
    what: 'filters that exclude each other',
    first: { q: 'jazz', category: ['sports'] },
    says: /No event passes all filters: .*without category \d+ events? match/,
    second: () => ({ args: { q: 'jazz' } }),
  },
  {
    what: 'too many results',
    first: { limit: 100, max_chars: 20_000 },
    says: /limit 100 was read as 20, the maximum\.[\s\S]*send cursor "(o20)"/,
    second: ([, cursor]) => ({ args: { limit: 20, max_chars: 20_000, cursor } }),
  },
  {
    what: 'a guessed id',
    tool: 'get_event',
    first: { id: '123e4567-e89b-42d3-a456-426614174000' },
    says: /no event has this id; ids are never guessed, call (search_events)/,
    second: ([, tool]) => ({ tool, args: {} }),
  },
  {
    what: 'an id of a venue',
    tool: 'get_event',
    first: ({ venue }) => ({ url: venue.url }),
    says: /that is a venue; call (get_venue) with the same url/,
    second: ([, tool], { url }) => ({ tool, args: { url } }),
  },
  {
    what: 'a title for an id',
    tool: 'get_event',
    first: { id: 'the jazz night' },
    says: /no event is known as "the jazz night"; call (search_events) with (q)/,
    second: ([, tool, argument = '']) => ({ tool, args: { [argument]: 'jazz' } }),
  },
  {
    what: 'neither id nor url',
    tool: 'get_venue',
    first: {},
    says: /give id or url, as (search_venues) returned them/,
    second: ([, tool]) => ({ tool, args: {} }),
  },
  {
    what: 'a tool of another plan',
    tool: 'whats_trending',
    isAnonymous: true,
    first: {},
    says: /whats_trending needs an API key of the growth plan .*; (search_events) works without one/,
    second: ([, tool]) => ({ tool, args: { sort: 'score' } }),
  },
  {
    what: 'a cursor of nothing',
    tool: 'search_venues',
    first: { cursor: 'page2' },
    says: /cursor is not one of this tool; leave it out/,
    second: () => ({ args: {} }),
  },
  {
    what: 'when and dates together',
    first: { when: 'tomorrow', from: saturday },
    says: /give when, or from and to, not both/,
    second: (_, { from }) => ({ args: { from } }),
  },
];

test('there are 40 mistakes and more', () => expect(MISTAKES.length).toBeGreaterThanOrEqual(40));

test.each(MISTAKES)(
  '$what: the answer leads to a right second call',
  async ({ tool = 'search_events', isAnonymous, first, says, second }) => {
    const key = isAnonymous ? undefined : service.keys.enterprise;
    const { events } = (await callTool(service.url, 'search_events', { limit: 1 }, key)).structuredContent;
    const venue = (await callTool(service.url, 'search_venues', { limit: 1 }, key)).structuredContent.venues[0];
    const { latitude, longitude } = venue;
    const args = typeof first === 'function' ? first({ latitude, longitude, event: events[0], venue }) : first;
    const { content } = await callTool(service.url, tool, args, key);
    const said = says.exec(content[0].text);
    if (!said) throw new Error(`said: ${content[0].text}`);
    const next = second(said, args);
    // Every second call is whole: a radius needs its point.
    const whole = 'radius_m' in next.args && !('near' in next.args) ? { ...next.args, near: { latitude, longitude } } : next.args;
    const { isError, structuredContent, content: answered } = await callTool(service.url, next.tool ?? tool, whole, key);
    expect(isError, answered[0].text).toBe(false);
    const { total = 1 } = structuredContent;
    expect(total, answered[0].text).toBeGreaterThan(0);
  },
);

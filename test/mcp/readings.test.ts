/** What a model sends in another form than the schema has it: read as meant, and said. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { idOf, MERGED_EVENT } from '../support/fakes/directory.ts';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { callTool, createTestMcp, type TestMcp } from '../support/rigs/mcp.ts';

let mcp: TestMcp;
beforeAll(async () => {
  // Tuesday, 16 June 2026, 4 PM.
  mcp = await createTestMcp({ limits: { callsPerNetwork: 1_000, callsPerSite: 1_000 } });
});
afterAll(() => mcp.close());

type Args = Record<string, unknown>;
const call = (tool: string, args: Args) => callTool(mcp.url, tool, args, FAKE_KEYS.enterprise);

async function notesOf(tool: string, args: Args): Promise<string[]> {
  const { structuredContent, content, isError } = await call(tool, args);
  expect(isError, content[0].text).toBe(false);
  for (const note of structuredContent.notes) expect(content[0].text).toContain(`Note: ${note}`);
  return structuredContent.notes;
}

const NEAR = { latitude: 40.7, longitude: -74 };
test.each<[string, Args, string]>([
  ['search_events', { category: 'concerts' }, 'category "concerts" was read as ["concert"].'],
  ['search_events', { category: ['Concerts'] }, 'category ["Concerts"] was read as ["concert"].'],
  ['search_events', { category: 'concert, Comedy' }, 'category "concert, Comedy" was read as ["concert","comedy"].'],
  [
    'search_events',
    { category: '["concert","comedy"]' },
    'category "[\\"concert\\",\\"comedy\\"]" was read as ["concert","comedy"].',
  ],
  ['search_events', { category: "['concert', 'comedy']" }, `category "['concert', 'comedy']" was read as ["concert","comedy"].`],
  ['search_events', { category: ' [Concert, comedy,] ' }, 'category " [Concert, comedy,] " was read as ["concert","comedy"].'],
  ['search_venues', { type: '["theater"]', capacity: 'small;medium' }, 'type "[\\"theater\\"]" was read as ["theater"].'],
  ['search_venues', { type: '["theater"]', capacity: 'small;medium' }, 'capacity "small;medium" was read as ["small","medium"].'],
  [
    'search_events',
    { near: '{"latitude":40.7,"longitude":-74}' },
    'near "{\\"latitude\\":40.7,\\"longitude\\":-74}" was read as {"latitude":40.7,"longitude":-74}.',
  ],
  ['search_venues', { type: ['Theaters'] }, 'type ["Theaters"] was read as ["theater"].'],
  ['search_venues', { capacity: 'Small' }, 'capacity "Small" was read as ["small"].'],
  ['search_events', { neighborhood: 'Area 0' }, 'neighborhood "Area 0" was read as "area-0".'],
  ['search_venues', { neighborhood: 'AREA_1' }, 'neighborhood "AREA_1" was read as "area-1".'],
  ['search_events', { when: 'Tonight' }, 'when "Tonight" was read as "tonight".'],
  ['city_overview', { when: 'this weekend' }, 'when "this weekend" was read as "this_weekend".'],
  ['search_events', { when: 'today' }, 'when "today" was read as from now to the end of 2026-06-16.'],
  ['search_events', { when: '2026-06-18' }, 'when "2026-06-18" was read as from and to of that day.'],
  ['search_events', { when: 'Friday' }, 'when "Friday" was read as "friday".'],
  ['search_events', { when: 'this friday' }, 'when "this friday" was read as "friday".'],
  ['city_overview', { when: 'on Thursday' }, 'when "on Thursday" was read as "thursday".'],
  [
    'search_events',
    { when: 'next saturday' },
    'when "next saturday" was read as Saturday, June 27: from 2026-06-27 and to 2026-06-27.',
  ],
  [
    'search_events',
    { when: 'Friday night' },
    'when "Friday night" was read as Friday, June 19, 17:00 to 05:00: from 2026-06-19T17:00 and to 2026-06-20T05:00.',
  ],
  ['search_events', { when: 'next week' }, 'when "next week" was read as next week: from 2026-06-22 and to 2026-06-28.'],
  ['search_events', { when: 'weekend' }, 'when "weekend" was read as "this_weekend".'],
  ['search_events', { limit: '5' }, 'limit "5" was read as 5.'],
  ['search_events', { limit: 2.6 }, 'limit 2.6 was read as 3.'],
  ['search_events', { limit: '500' }, 'limit "500" was read as 20, the maximum.'],
  ['search_events', { max_chars: 1 }, 'max_chars 1 was read as 2000, the minimum.'],
  ['search_events', { price_max: '1e2' }, 'price_max "1e2" was read as 100.'],
  ['search_events', { free: 'true' }, 'free "true" was read as true.'],
  ['search_events', { free: 0 }, 'free 0 was read as false.'],
  ['search_events', { sort: 'START' }, 'sort "START" was read as "start".'],
  ['search_events', { q: 7 }, 'q 7 was read as "7".'],
  [
    'search_events',
    { near: { lat: 40.7, lng: -74 } },
    'near {"lat":40.7,"lng":-74} was read as {"latitude":40.7,"longitude":-74}.',
  ],
  [
    'search_events',
    { near: { ...NEAR, radius: 5 } },
    'near {"latitude":40.7,"longitude":-74,"radius":5} was read as {"latitude":40.7,"longitude":-74}.',
  ],
  ['get_event', { id: MERGED_EVENT }, `id "${MERGED_EVENT}" was read as "${idOf('e', 1)}": the event was merged into it.`],
  [
    'get_event',
    { id: idOf('e', 2), url: 'https://example.org/events/event-1' },
    'url "https://example.org/events/event-1" was left out: id counts.',
  ],
  ['whats_trending', { type: 'Venues' }, 'type "Venues" was read as "venues".'],
])('%s says of %j: %s', async (tool, args, said) => {
  expect(await notesOf(tool, args)).toContain(said);
});

test.each<[string, Args]>([
  ['search_events', { category: ['concert'], when: 'tonight', neighborhood: 'area-0', limit: 5, free: false, sort: 'start' }],
  ['search_events', { near: { longitude: -74, latitude: 40.7 }, radius_m: 500, q: '', price_max: null, category: [] }],
  ['search_venues', { type: ['theater'], capacity: ['small'] }],
  ['get_event', { id: idOf('e', 2) }],
])('%s says nothing of arguments that are read as they came: %j', async (tool, args) => {
  expect((await notesOf(tool, args)).filter((note) => note.includes('was read as'))).toEqual([]);
});

test.each(['jazz, rock', '["jazz","rock"]', 'jazz and rock'])(
  'a list that is written as the text %s has its values',
  async (category) => {
    const { isError, content } = await call('search_events', { category });
    const words = category.includes(' and ') ? ['"jazz and rock"'] : ['"jazz"', '"rock"'];
    const lines = content[0].text.split('\n').map((line: string) => line.split(' is not known')[0]);
    expect([isError, lines]).toEqual([true, words.map((word) => `category ${word}`)]);
  },
);

test('a weekday is the next one, until five in the morning after it', async () => {
  const { total, events } = (await call('search_events', { when: 'thursday', sort: 'start' })).structuredContent;
  const ofDates = (await call('search_events', { from: '2026-06-18T05:00', to: '2026-06-19T04:59' })).structuredContent;
  expect([total, events[0].start]).toEqual([8, '2026-06-18T05:00:00-04:00']);
  expect(ofDates.total).toBe(total);
});

test.each([
  ['fridy', /did you mean friday\?/],
  ['june 1, 2026', /when "june 1, 2026" is over: it was read as Monday, June 1, and today is Tue, Jun 16, 2026/],
  ['whenever', /when "whenever" is not known.* One of: now, .*friday/],
])('when "%s" is a mistake that says what to send', async (when, says) => {
  const { isError, content } = await call('search_events', { when });
  expect([isError, content[0].text]).toEqual([true, expect.stringMatching(says)]);
});

test.each<[Args, string]>([
  [{ from: '2026-12-05', to: '2026-12-01' }, 'to must not be before from: from is 2026-12-05, to is 2026-12-01'],
  [{ from: '2026-12-05', to: '2024-05-03' }, 'to must not be before from: from is 2026-12-05, to is 2024-05-03'],
  [{ to: '2024-05-03' }, 'to must not be before now: it is Tue, Jun 16, 2026, 4:00 PM, to is 2024-05-03'],
  [{ to: '2026-06-16T15:00' }, 'to must not be before now: it is Tue, Jun 16, 2026, 4:00 PM, to is 2026-06-16T15:00'],
])('dates %j are one mistake: %s', async (args, says) => {
  const { isError, content } = await call('search_events', args);
  expect([isError, content[0].text]).toEqual([true, says]);
});

test('what was read differently leaves room for the answer, and all of it is named', async () => {
  const long = Array.from({ length: 40 }, () => 'Concerts').join(', ');
  const args: Args = {
    ...{ q: 7, when: 'Next 30 Days', category: long, neighborhood: 'AREA 0', near: { lat: '40.7', lng: '-74' }, radius_m: '500' },
    ...{ free: 'false', price_max: '1000', sort: 'START', limit: '1', detail: 'BRIEF', max_chars: '2000' },
  };
  const { structuredContent, content } = await call('search_events', args);
  expect(content[0].text.length + JSON.stringify(structuredContent).length).toBeLessThanOrEqual(2_000);
  const said = structuredContent.notes.join('\n');
  for (const name of Object.keys(args)) expect(said).toMatch(new RegExp(`\\b${name}\\b`));
});

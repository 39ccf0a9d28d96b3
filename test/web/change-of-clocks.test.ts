/** Pages of the days on which the clocks change: 23 and 25 hours, and an hour that comes twice. One engine is enough: pages read the read model. */

import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordChanges } from '../../src/records/index.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;
let slugs: string[];

/** The next change of each kind in Port Alder (America/Chicago): hours as UTC, and how a page has them. */
const DAYS = [
  {
    name: 'forward',
    day: '2027-03-14',
    events: [
      ['2027-03-14T06:00:00Z', '2027-03-14T00:00:00-06:00', '12 AM'],
      ['2027-03-14T07:30:00Z', '2027-03-14T01:30:00-06:00', '1:30 AM'],
      ['2027-03-14T08:00:00Z', '2027-03-14T03:00:00-05:00', '3 AM'],
      ['2027-03-15T04:30:00Z', '2027-03-14T23:30:00-05:00', '11:30 PM'],
    ],
  },
  {
    name: 'back',
    day: '2027-11-07',
    events: [
      ['2027-11-07T05:00:00Z', '2027-11-07T00:00:00-05:00', '12 AM'],
      ['2027-11-07T06:30:00Z', '2027-11-07T01:30:00-05:00', '1:30 AM'],
      ['2027-11-07T07:30:00Z', '2027-11-07T01:30:00-06:00', '1:30 AM'],
      ['2027-11-08T05:30:00Z', '2027-11-07T23:30:00-06:00', '11:30 PM'],
    ],
  },
] as const;
/** How long each event lasts: the second one of the long night ends at 1:15 by a clock that was set back meanwhile. */
const MINUTES = 45;

beforeAll(async () => {
  site = await openSite();
  // Ahead of the first of them, so that a calendar has both months.
  site.pass(Date.parse('2027-02-20T18:00:00Z') - site.now());
  const { db } = site.store;
  const starts = DAYS.flatMap(({ events }) => events.map(([start]) => start));
  const rows = await db
    .selectFrom('event')
    .select(['id', 'slug'])
    .where('state', '=', 'published')
    .where('status', '=', 'scheduled')
    .orderBy('id')
    .limit(starts.length)
    .execute();
  slugs = rows.map(({ slug }) => slug);
  await db.transaction().execute(async (trx) => {
    for (const [at, { id }] of rows.entries()) {
      const starts_at = new Date(starts[at] ?? '');
      const ends_at = new Date(starts_at.getTime() + MINUTES * 60_000);
      const change = { starts_at, ends_at, precision: 'time' as const, title: `Clock ${at}` };
      await trx.updateTable('event').set(change).where('id', '=', id).execute();
    }
    const changes = rows.map(({ id }) => ({ kind: 'updated', entity: 'event', entityId: id }) as const);
    await recordChanges(trx, changes, site.now());
  });
  await until(async () => expect(await html(`/events/${slugs.at(-1)}`)).toContain('Clock 7'));
});
afterAll(() => site.close());

const ask = (path: string) => site.ask(path, { headers: { accept: 'text/html' } });
const html = async (path: string) => (await ask(path)).text();

describe.each(DAYS.map((each, at) => ({ ...each, at })))('the day on which clocks go $name', ({ day, events, at }) => {
  const own = () => slugs.slice(4 * at, 4 * at + 4);

  test('has each event once, in the order of real time, at its hour on the wall', async () => {
    const page = await html(`/events?start_date=${day}&end_date=${day}&sort=start`);
    expect([...page.matchAll(/class="card-title"[^>]*><a href="\/events\/([^"]+)"/g)].map(([, slug]) => slug)).toEqual(own());
    expect([...page.matchAll(/<h2 id="day-([\d-]+)"/g)].map(([, each]) => each)).toEqual([day]);
    const hours = [...page.matchAll(/<time dateTime="[^"]+">([^<]+)</g)].map(([, hour]) => hour?.replace('\u202f', ' '));
    expect(hours).toEqual(events.map(([, , hour]) => hour));
  });

  test('has as many events in the calendar, and no other day has them', async () => {
    const page = await html(`/events?view=calendar&month=${day.slice(0, 7)}`);
    const counts = [...page.matchAll(/<a aria-label="[^"]*: ([\d,]+) events?" href="([^"]+)"/g)];
    expect(counts.map(([, count, path]) => [count, path?.replaceAll('&amp;', '&')])).toEqual([
      ['4', `/events?start_date=${day}&end_date=${day}`],
    ]);
  });

  test('tells machines the real instant: markup, calendars, share images', async () => {
    for (const [index, slug] of own().entries()) {
      const [instant = '', local = ''] = events[index] ?? [];
      const page = await html(`/events/${slug}`);
      const [, json = '{}'] = /<script type="application\/ld\+json">([^<]*)</.exec(page) ?? [];
      const { startDate, endDate } = JSON.parse(json) as { startDate: string; endDate: string };
      expect(startDate).toBe(local);
      expect(Date.parse(endDate) - Date.parse(startDate)).toBe(MINUTES * 60_000);
      const calendar = new ICAL.Component(ICAL.parse(await html(`/events/${slug}/event.ics`)));
      const [event] = calendar.getAllSubcomponents('vevent');
      expect(Date.parse(String(event?.getFirstPropertyValue('dtstart')))).toBe(Date.parse(instant));
      const link = /href="(https:\/\/calendar\.google\.com[^"]+)"/.exec(page)?.[1] ?? '';
      const dates = new URL(link.replaceAll('&amp;', '&')).searchParams.get('dates') ?? '';
      const [start, end] = dates.split('/').map((each) => Temporal.Instant.from(each).epochMilliseconds);
      expect([start, (end ?? 0) - (start ?? 0)]).toEqual([Date.parse(instant), MINUTES * 60_000]);
      const image = /property="og:image" content="([^"]+)"/.exec(page)?.[1] ?? '';
      expect((await site.ask(new URL(image).pathname)).headers.get('content-type')).toBe('image/png');
    }
  });
});

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type NormalEvent, normalizeEvent } from '../../src/facts/index.ts';
import { cleanTitle } from '../../src/facts/titles/title.ts';
import { compileMapping } from '../../src/providers/mapping/mapping.ts';
import { PRIVATE } from './count.ts';
import { NYC } from './load.ts';

interface Published {
  id: string;
  title: string;
  venue: string;
  source: string;
  start: string;
}

const CITY = { timezone: 'America/New_York', name: 'New York', locale: 'en-US' };
const BOUNDS = { west: -74.05, south: 40.54, east: -73.7, north: 40.92 };

/** Every expectation is counted in the published file with plain patterns, without the code that is tested. */
describe.skipIf(NYC.missing)('the listings of New York', () => {
  let published: Published[];
  const events = new Map<string, NormalEvent>();
  const refusals = new Map<string, string[]>();
  const context = { city: { ...CITY, bounds: BOUNDS }, sourceName: 'dashboard', now: Date.parse(NYC.now) };

  beforeAll(() => {
    published = (JSON.parse(readFileSync(NYC.events.file, 'utf8')) as { events: Published[] }).events;
    const compiled = compileMapping(JSON.parse(readFileSync(NYC.events.mapping, 'utf8')));
    if (!compiled.ok) throw new Error(compiled.reason);
    for (const record of published) {
      const read = compiled.mapping.read(record);
      const [listing] = !read || 'refused' in read ? [] : read;
      if (listing?.target !== 'events') continue;
      const result = normalizeEvent(listing.event, context);
      if (result.ok) events.set(record.id, result.event);
      else refusals.set(result.code, [...(refusals.get(result.code) ?? []), record.title]);
    }
  });

  const count = (test: (record: Published) => boolean) =>
    published.filter((record) => !record.start.startsWith('null') && test(record)).length;
  const repairs = (code: string) => [...events.values()].filter((event) => event.repairs.some((each) => each === code)).length;

  it('are refused for these reasons and no others', () => {
    const isPermit = ({ source }: Published) => source === 'nyc-open-data';
    expect(Object.fromEntries([...refusals].map(([code, titles]) => [code, titles.length]))).toEqual({
      not_an_event: count(({ title }) => title.startsWith('Museum of') && title.endsWith('General Admission')),
      online: count(({ venue }) => venue === 'Virtual/Online Events'),
      private: count((record) => isPermit(record) && PRIVATE.test(record.title)),
    });
    expect(events.size).toBe(3404);
  });

  it('have the status that their titles say, and nothing of it left in them', () => {
    const statuses = new Map<string, number>();
    for (const { status } of events.values()) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    statuses.delete('scheduled');
    expect(Object.fromEntries(statuses)).toEqual({
      cancelled: count(({ title }) => /^CANCELL?ED:/.test(title)),
      sold_out: count(({ title }) => title.startsWith('SOLD OUT:')),
      rescheduled: count(({ title }) => /rescheduled (to|from)/i.test(title)),
    });
    const titles = [...events.values()].map(({ title }) => title);
    expect(
      titles.filter((title) => /CANCELL?ED|SOLD OUT|escheduled|&#|&amp;|<i>|\(NY\)| - New York$|\(\d\d\+\)|\s$/.test(title)),
    ).toEqual([]);
  });

  it('lose the city behind titles and venues, as often as it stands there', () => {
    expect(repairs('city_cut')).toBe(count(({ title }) => / - New York$|\((NY|NYC|New York|New York, NY)\)$/.test(title)));
    expect(repairs('venue_suffix_cut')).toBe(count(({ venue }) => /- ?(NY|NYC|New York)$/.test(venue)));
  });

  it('have no hour where TodayTix prints its placeholder', () => {
    expect(repairs('placeholder_time')).toBe(count(({ source, start }) => source === 'todaytix' && /T19:30/.test(start)));
    const hours = [...events].filter(([id, { precision }]) => id.startsWith('todaytix:') && precision === 'time');
    expect(hours).toEqual([]);
  });

  it('keep a clean title when it is cleaned again', () => {
    for (const { title, place } of events.values()) {
      expect(cleanTitle(title, { city: CITY, venueName: place.name })).toMatchObject({ title, repairs: [] });
    }
  });
});

/** "Add to calendar": one event as a calendar, without a key. One engine is enough: calendars are made from the read model. */

import ICAL from 'ical.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { correct } from '../../src/ingest/index.ts';
import { mergeEvents, recordChanges, removeEvents } from '../../src/records/index.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;
let slugs: { id: string; slug: string; title: string }[];

beforeAll(async () => {
  site = await openSite();
  slugs = await site.store.db
    .selectFrom('event')
    .select(['id', 'slug', 'title'])
    .where('precision', '=', 'time')
    .where('status', '=', 'scheduled')
    .orderBy('id')
    .limit(10)
    .execute();
  return () => site.close();
});

const card = (index: number) => slugs[index] ?? expect.fail('the demo city has fewer events');
const ask = (slug: string, headers: Record<string, string> = {}) =>
  site.ask(`/events/${slug}/event.ics`, { headers, redirect: 'manual' });
const parse = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const [event, ...others] = calendar.getAllSubcomponents('vevent');
  expect(others).toEqual([]);
  return (name: string) => String(event?.getFirstPropertyValue(name));
};

describe('the calendar of an event', () => {
  test('is linked from its page and holds the event as the API has it', async () => {
    const { id, slug, title } = card(0);
    const page = await (await site.ask(`/events/${slug}`, { headers: { accept: 'text/html' } })).text();
    expect(page).toMatch(new RegExp(`Add to calendar</summary><ul><li><a href="/events/${slug}/event.ics" type="text/calendar"`));
    const answer = await ask(slug);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${slug}.ics"`);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=900');
    const value = parse(await answer.text());
    expect([value('uid'), value('summary'), value('status'), value('sequence')]).toEqual([id, title, 'CONFIRMED', '0']);
    expect(value('url')).toBe(`${site.url}/events/${slug}`);
    const { starts_at } = await site.store.db
      .selectFrom('event')
      .select('starts_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(Date.parse(value('dtstart'))).toBe(starts_at.getTime());
  });

  test('stays the same bytes, and answers 304, until the event changes', async () => {
    const { slug } = card(1);
    const first = await ask(slug);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    site.pass(90_000);
    const again = await ask(slug, { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(await (await ask(slug)).text()).toBe(await first.text());
  });

  test('keeps its UID and counts changes of time and status, but not of the title', async () => {
    const { id, slug } = card(2);
    const before = parse(await (await ask(slug)).text());
    const change = { store: site.store, by: 'operator@example.org', note: null, now: site.now, entity: 'event', id } as const;
    const { starts_at } = await site.store.db
      .selectFrom('event')
      .select('starts_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const startsAt = starts_at.getTime() + 3_600_000;
    const told = async (values: Parameters<typeof correct>[0]['values']) => {
      site.pass(60_000);
      const earliest = Math.floor(site.now() / 1000) * 1000;
      expect(await correct({ ...change, values })).toMatchObject({ ok: true });
      const latest = site.now();
      let value = before;
      await until(async () => {
        const { headers, status } = await ask(slug);
        const now = status === 301 ? (headers.get('location') ?? '') : `/events/${slug}/event.ics`;
        value = parse(await (await site.ask(now)).text());
        const stamp = Date.parse(value('last-modified'));
        expect(stamp >= earliest && stamp <= latest).toBe(true);
      });
      expect(value('dtstamp')).toBe(value('last-modified'));
      return value;
    };
    const moved = await told({ start: new Date(startsAt).toISOString() });
    expect([moved('sequence'), Date.parse(moved('dtstart'))]).toEqual(['1', startsAt]);
    const cancelled = await told({ status: 'cancelled' });
    expect([cancelled('sequence'), cancelled('status')]).toEqual(['2', 'CANCELLED']);
    const renamed = await told({ title: 'Called otherwise' });
    expect([renamed('sequence'), renamed('summary')]).toEqual(['2', 'Called otherwise']);
    expect(new Set([before, moved, cancelled, renamed].map((value) => value('uid')))).toEqual(new Set([id]));
  });

  test('leads on from a merged event, is gone with a removed one, and is not found by other names', async () => {
    const [survivor, merged, removed] = [card(3), card(4), card(5)];
    await site.store.db.transaction().execute(async (trx) => {
      const mergers = await mergeEvents(trx, [{ id: merged.id, into: survivor.id }], site.now());
      const removals = await removeEvents(trx, [removed.id], site.now());
      await recordChanges(trx, [...mergers, ...removals], site.now());
    });
    await until(async () => {
      const answer = await ask(merged.slug);
      expect([answer.status, answer.headers.get('location')]).toEqual([301, `/events/${survivor.slug}/event.ics`]);
      expect((await ask(removed.slug)).status).toBe(410);
    });
    for (const path of [
      '/events/nothing-of-this-name/event.ics',
      `/events/${survivor.slug}/event.ICS`,
      `/events/${survivor.slug}/`,
    ]) {
      expect((await site.ask(path)).status, path).toBe(404);
    }
  });
});

/** The page of a run. One engine is enough: it shows what is in the run's report. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRunLines } from '../../src/ingest/index.ts';
import { type DeskTools, openDesk } from '../support/rigs/desk.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';

let site: Site;
let desk: DeskTools;
let ann: Person;

beforeAll(async () => {
  site = await openSite();
  desk = await openDesk(site);
  ann = await site.signIn({ email: 'ann@desk.example', operator: true });
});
afterAll(() => site.close());

const read = async (path: string): Promise<string> => {
  const answer = await site.ask(path, { headers: { cookie: ann.cookie, accept: 'text/html' } });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
};

describe('a run', () => {
  test('names the day alone of events whose hour is unknown, and venues by name', async () => {
    const [from, to] = await site.store.db.selectFrom('venue').select('name').orderBy('slug').limit(2).execute();
    const wharf = await site.store.db.selectFrom('city').select(['latitude as lat', 'longitude as lon']).executeTakeFirst();
    const almanac = await desk.add('Almanac');
    const fair = (name: string, days: number, more = {}) =>
      desk.show(name, name, { start: new Date(site.now() + days * 86_400_000).toISOString().slice(0, 10), ...more });
    almanac.write(['Moss', 'Reed', 'Sedge', 'Fern', 'Ivy', 'Heath'].map((name, i) => fair(name, 6 + i)));
    await almanac.run();
    almanac.write([fair('Moss', 12, { at: 'other' }), fair('Reed', 7, { ...wharf, place: 'Zephyr Wharf' })]);
    await almanac.run();
    const [run] = await readRunLines({ store: site.store, sourceId: almanac.id, limit: 1 });
    const text = (await read(`/desk/runs/${run?.id}`)).replace(/<script.*|<[^>]*>/g, ' ').replace(/ +/g, ' ');
    const day = /\w{3}, \w{3} \d{1,2}, 20\d\d(?!,)/.source;
    expect(text).toMatch(new RegExp(`Moss start ${day} → ${day} venue ${from?.name} → ${to?.name} `));
    expect(text).toContain(`Reed venue ${from?.name} → Zephyr Wharf `);
    expect(text.match(new RegExp(`(Sedge|Fern|Ivy|Heath) ${day}`, 'g'))).toHaveLength(4);
  });

  test('that changed much is told in its first lines, and each kind of change page by page', async () => {
    const path = `/desk/runs/${await lengthen()}`;
    const linesOf = (html: string) => (html.match(/Long Play \d+/g) ?? []).filter((title, at, all) => all.indexOf(title) === at);
    const first = await read(path);
    expect(linesOf(first)).toHaveLength(20);
    expect(first).toContain('Show the 120 that were stored');
    expect(first).toContain('Short Play');
    expect(first).not.toContain('which were not stored');
    const pages = await Promise.all([1, 2, 3, 99].map((page) => read(`${path}?part=created&page=${page}`)));
    expect(pages.map((html) => linesOf(html).length)).toEqual([50, 50, 20, 20]);
    expect(new Set(pages.flatMap(linesOf)).size).toBe(120);
    expect(pages.map((html) => html.includes('780 more, which were not stored'))).toEqual([false, false, true, true]);
    for (const html of pages) expect(html).not.toContain('Short Play');
    for (const odd of ['part=toString', 'part=', 'all']) expect(linesOf(await read(`${path}?${odd}`))).toHaveLength(20);
  });

  /** As if it had been a long one. */
  async function lengthen(): Promise<string> {
    const radio = await desk.add('radio');
    await radio.run();
    const [run] = await readRunLines({ store: site.store, sourceId: radio.id, limit: 1 });
    const line = (title: string) => ({ id: crypto.randomUUID(), title, start: '2026-12-01T20:00:00Z' });
    const created = Array.from({ length: 120 }, (_, n) => line(`Long Play ${n}`));
    const difference = { created, changed: [{ ...line('Short Play'), fields: {} }], merged: [], cancelled: [], vanished: [] };
    const summary = { created: 900, changed: 1, merged: 0, cancelled: 0, vanished: 0, listings: 901, rejected: 0, waiting: 0 };
    const { db } = site.store;
    const told = { report: JSON.stringify({ difference }), summary: JSON.stringify(summary) };
    await db.updateTable('run').set(told).where('id', '=', run!.id).execute();
    return run!.id;
  }
});

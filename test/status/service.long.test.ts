/** The state of the whole service, told while its database is there, frozen and stopped. PostgreSQL is quicker. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { marqueeHere } from '../support/rigs/service.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { DEMO_NOW } from '../support/runs/demo-clock.ts';
import { until } from '../support/runs/patience.ts';

interface StatusDocument {
  status: string;
  lastReadAt: string | null;
  isHistoryComplete: boolean;
  services: { name: string; availability: number; days: { date: string; requests: number; failed: number }[] }[];
  parts: { name: string; status: string; since: string | null }[];
  directory: { events: number; venues: number; builtAt: string; changedAt: string | null };
  sources: { name: string }[] | null;
  incidents: { id: string; title: string; state: string; updates: { message: string }[] }[] | null;
}

let site: Site;
beforeAll(async () => {
  site = await openSite({ faulty: true });
});
afterAll(() => site?.close());

const readStatus = async (): Promise<StatusDocument> => {
  const answer = await site.ask('/status.json');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  return (await answer.json()) as StatusDocument;
};
const partOf = ({ parts }: StatusDocument, name: string) => parts.find((part) => part.name === name)?.status;
const marquee = (...words: string[]) =>
  marqueeHere(words, { MARQUEE_DATA_DIR: site.dataDir, MARQUEE_NOW: DEMO_NOW, ...site.database?.settings });

test('the document counts the answers of the service, its parts and its directory', async () => {
  const before = await until(async () => {
    const status = await readStatus();
    // A look at the database that comes late on a busy machine makes the state worse until the next one.
    expect([status.status, status.isHistoryComplete, status.incidents]).toEqual(['operational', true, []]);
    return status;
  });
  expect(before.sources).toEqual([]);
  expect(before.parts.map(({ name, status }) => [name, status])).toEqual([
    ['database', 'ok'],
    ['mail', 'ok'],
    ['webhooks', 'ok'],
    ['exports', 'ok'],
  ]);
  expect(before.directory.events).toBeGreaterThan(100);
  for (let i = 0; i < 3; i += 1) await site.ask('/api/v1/events');
  await site.ask('/pricing');
  await until(async () => {
    const { services } = await readStatus();
    const today = services.map(({ name, days }) => [name, days.length, days.at(-1)?.requests, days.at(-1)?.failed]);
    expect(today).toEqual([
      ['api', 90, 3, 0],
      ['pages', 90, expect.any(Number), 0],
      ['mcp', 90, 0, 0],
    ]);
  });
});

test('an incident of the command line is told at once, in JSON and RSS, and is in the audit log', async () => {
  const hostile = 'Search is slow <script>alert(1)</script> & more';
  const opened = await marquee('incident', 'open', hostile, '--message', 'We are looking ]]> into it.', '--impact', 'major');
  const id = opened.stdout.trim();
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  const open = await until(async () => {
    const status = await readStatus();
    expect(status.incidents).toHaveLength(1);
    return status;
  });
  expect(open).toMatchObject({ status: 'outage', incidents: [{ id, title: hostile, state: 'investigating' }] });
  expect((await marquee('incident', 'update', id, '--message', 'A disk is full.')).stdout).toBe('updated\n');
  const feed = await until(async () => {
    const answer = await site.ask('/status.rss');
    expect(answer.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
    const text = await answer.text();
    expect(text).toContain('A disk is full.');
    return text;
  });
  expect(feed).not.toContain('<script>');
  expect(feed.match(/<item>/g)).toHaveLength(2);
  expect((await marquee('incident', 'close', id)).stdout).toBe('closed\n');
  await until(async () => expect((await readStatus()).status).toBe('operational'));
  const late = await marquee('incident', 'update', id, '--message', 'once more');
  expect([late.status, late.stderr]).toEqual([1, 'The incident is closed. Open a new one.\n']);
  const entries = await site.store.db.selectFrom('audit').select(['action', 'actor']).where('subject', '=', 'incident').execute();
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ['incident.open', 'command line'],
    ['incident.update', 'command line'],
    ['incident.close', 'command line'],
  ]);
});

describe.each(['frozen', 'stopped'] as const)('while the database is %s', (fault) => {
  beforeAll(() => (fault === 'frozen' ? site.database?.freeze() : site.database?.stop()));
  afterAll(async () => {
    if (fault === 'frozen') site.database?.thaw();
    else await site.database?.start();
    await until(async () => expect(partOf(await readStatus(), 'database')).toBe('ok'));
  });

  test('the state is told from memory, with what was read last, and says that the database is away', async () => {
    const status = await until(async () => {
      const told = await readStatus();
      expect([told.status, partOf(told, 'database'), partOf(told, 'exports')]).toEqual(['degraded', 'down', 'unknown']);
      return told;
    });
    expect(status.incidents).toHaveLength(1);
    expect(status.lastReadAt).not.toBeNull();
    expect(status.parts[0]?.since).not.toBeNull();
    expect(status.services[0]?.days.at(-1)?.requests).toBeGreaterThanOrEqual(3);
    expect((await site.ask('/status.rss')).status).toBe(200);
  });
});

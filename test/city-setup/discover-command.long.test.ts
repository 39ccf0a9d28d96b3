import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importBundle, listSources } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';
import { CITY, emptyDirectory, now } from '../support/records/bundle.ts';
import { marqueeHere } from '../support/rigs/service.ts';

const calendar = (title: string, start: string): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:${title}\r\nDTSTAMP:20300101T000000Z\r\nDTSTART:${start}\r\nSUMMARY:${title}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
const PAGES: Readonly<Record<string, [type: string, body: string]>> = {
  '/': ['text/html', '<title>Reed Hall</title><a href="/all.ics">Dates</a><a href="/staff.ics">Staff, internal</a>'],
  '/all.ics': ['text/calendar', calendar('Choir', '20310509T190000')],
  '/staff.ics': ['text/calendar', calendar('Budget', '20310510T090000')],
};
const server = createServer(({ url = '' }, response) => {
  const [type, body] = PAGES[url] ?? [null, ''];
  response.writeHead(type === null ? 404 : 200, { 'content-type': type ?? 'text/plain' }).end(body);
});
let test: TestStore;
let host = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  test = await openTestStore('embedded');
  await emptyDirectory(test.store);
  const hall = {
    ...{ externalId: 'reed', name: 'Reed Hall', type: 'bar', address: '4 Reed St', latitude: 45, longitude: -120 },
    ...{ capacityTier: 'small', isVerified: true, metadata: { website: `http://${host}/` } },
  };
  await importBundle({ store: test.store, bundle: { city: CITY, venues: [hall] }, now });
});
afterAll(async () => {
  server.close();
  await test.dispose();
});

it('adds what needs no look, prints the command for the rest, and adds nothing twice', async () => {
  const env = { MARQUEE_DATA_DIR: test.options.dataDir, MARQUEE_ALLOWED_HOSTS: host, MARQUEE_NOW: '2031-05-05T16:00:00Z' };
  const discover = () => marqueeHere(['city', 'discover', '--add', '--every', '1d'], env);
  const first = await discover();
  expect(first.stdout).toContain('added Reed Hall: 1 upcoming event');
  expect(first.stdout).toContain(`marquee source add ical 'http://${host}/staff.ics'`);
  expect(first.stderr).toContain(`1 of 1: Reed Hall, http://${host}/: 2 candidates`);
  expect(first.stderr).toContain('1 source added; to read them now, run marquee ingest');
  expect(first.stderr).toContain('set MARQUEE_CONTACT');
  const sources = async () => (await listSources({ store: test.store })).filter(({ name }) => name === 'Reed Hall');
  expect(await sources()).toMatchObject([{ kind: 'ical', location: `http://${host}/all.ics`, everySeconds: 86_400 }]);
  expect((await discover()).stderr).toContain('0 sources added');
  expect(await sources()).toHaveLength(1);
});

it('adds a calendar that two sites embed once, and counts none that is refused', async () => {
  const second = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Mill</title><a href="http://${host}/all.ics">Dates</a>`);
  });
  await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve));
  const other = `127.0.0.1:${(second.address() as AddressInfo).port}`;
  const place = { type: 'bar', address: '4 Reed St', latitude: 45, longitude: -120, capacityTier: 'small', isVerified: true };
  const venue = (name: string, site: string) => ({
    ...{ ...place, externalId: name, name, metadata: { website: `http://${site}/` } },
  });
  const env = { MARQUEE_ALLOWED_HOSTS: `${host},${other}`, MARQUEE_NOW: '2031-05-05T16:00:00Z' };
  const discover = async (names: readonly [string, string]) => {
    await emptyDirectory(test.store);
    const venues = [venue(names[0], host), venue(names[1], other)];
    await importBundle({ store: test.store, bundle: { city: CITY, venues }, now });
    return marqueeHere(['city', 'discover', '--add'], { ...env, MARQUEE_DATA_DIR: test.options.dataDir });
  };
  try {
    expect((await discover(['Reed Hall', 'Reed Mill'])).stderr).toContain('1 source added');
    expect((await listSources({ store: test.store })).map(({ location }) => location)).toEqual([`http://${host}/all.ics`]);
    const refused = await discover(['bundle', 'bundle']);
    expect(refused.stdout).not.toContain('added bundle');
    expect(refused.stderr).toContain('bundle is not added: the name bundle is reserved for imported bundles');
  } finally {
    second.close();
  }
});

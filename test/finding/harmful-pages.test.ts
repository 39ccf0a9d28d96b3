import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { namedCalendars } from '../../src/finding/index.ts';
import { judgePage } from '../../src/finding/judge-page.ts';
import { readDoor } from '../../src/finding/read-door.ts';
import { openReader } from '../../src/providers/index.ts';
import { surveyPage } from '../../src/providers/survey-page.ts';
import { cpuMsOf } from '../support/processes/cpu-time.ts';
import { calendar, described, link, type PretendedSites, page, pretendSites, type SiteSet } from './pretended-sites.ts';

const reader = openReader();
afterAll(() => reader.close());
let open: PretendedSites | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

async function serve(sites: SiteSet, allowedHosts: readonly string[] = []): Promise<PretendedSites> {
  open = await pretendSites(sites, reader, allowedHosts);
  return open;
}

const START = 'http://reedhall.example.org/';
const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describe('a page that means harm', () => {
  it('with calendars on 100 hosts costs forty requests, and what was read before counts', async () => {
    const hosts = range(100).map((at) => `h${at}.example.net`);
    const links = hosts.map((host) => link(`http://${host}/cal.ics`, 'Dates'));
    const site = await serve({
      'reedhall.example.org': { pages: { '/': page('Reed Hall', ...links, described('Choir', [9])) } },
      ...Object.fromEntries(hosts.map((host) => [host, { pages: {} }])),
    });
    const { candidates, requests } = await site.find(START);
    expect([requests, site.sent.length]).toEqual([40, 40]);
    expect(candidates).toMatchObject([{ kind: 'jsonld', events: 1 }]);
  });

  it.each([
    link('webcal://my%20site/cal.ics', 'Calendar'),
    link('webcal://?ical=1', 'Calendar'),
    '<link rel="alternate" type="text/calendar" href="webcal://">',
    '<link rel="alternate" type="text/calendar" href="webcals://">',
  ])('with the calendar %s is judged by what else it names', async (broken) => {
    const pages = {
      '/': page('Reed Hall', broken, link('/all.ics', 'Calendar')),
      '/all.ics': calendar('Reed Hall', 'Choir', [9]),
    };
    const site = await serve({ 'reedhall.example.org': { pages } });
    expect((await site.find(START)).candidates).toMatchObject([{ location: `${START}all.ics`, events: 1 }]);
    const survey = await reader.readPage({ url: START, body: Buffer.from(pages['/']), contentType: 'text/html' });
    expect(namedCalendars(survey)).toEqual([{ kind: 'ical', location: `${START}all.ics` }]);
  });

  it('leads to no door that its provider cannot ask for', async () => {
    const nobody = new Proxy({}, { get: () => () => expect.unreachable() }) as never;
    const context = { city: { name: 'Fennport', zone: 'UTC', locale: 'en' }, now: () => 0 } as never;
    const door = { kind: 'ical', location: 'https://?ical=1', platform: 'ical', rank: 70 };
    expect(await readDoor(door, nobody, context)).toBeNull();
  });

  it('does not lead to a host that the operator allows, unless it is on that list too', async () => {
    const sites = {
      'reedhall.example.org': { pages: { '/': page('Reed Hall', link('http://intranet/all.ics', 'Calendar')) } },
      intranet: { pages: { '/all.ics': calendar('Inner', 'Choir', [9]) } },
    };
    const site = await serve(sites, ['intranet']);
    expect((await site.find(START)).candidates).toEqual([]);
    expect(site.sent.filter(({ host }) => host === 'intranet')).toEqual([]);
    expect((await site.find('http://intranet/all.ics')).candidates).toMatchObject([{ events: 1 }]);
    await site.close();
    const inner = await serve(sites, ['intranet', 'reedhall.example.org']);
    expect((await inner.find(START)).candidates).toMatchObject([{ location: 'http://intranet/all.ics' }]);
  });

  it('with 3,000 calendar files is judged in time that grows with their number alone', async () => {
    const links = range(3_000).map((at) => ({ url: `https://h${at}.example.net/cal.ics`, rel: '', type: '', text: '' }));
    const survey = await reader.readPage({ url: START, body: Buffer.from(page('Reed Hall')), contentType: 'text/html' });
    let doors = 0;
    const spent = cpuMsOf(() => {
      doors = judgePage({ ...survey, links }).doors.length;
    });
    expect(doors).toBe(200);
    expect(spent).toBeLessThan(4_000);
  });

  it('with a robots.txt of line breaks is judged in time that grows with the file alone', async () => {
    const robots = { type: 'text/plain', body: '\r'.repeat(100_000) };
    const site = await serve({ 'reedhall.example.org': { pages: { '/': page('Reed Hall'), '/robots.txt': robots } } });
    const before = process.threadCpuUsage();
    expect((await site.find(START)).candidates).toEqual([]);
    const { user, system } = process.threadCpuUsage(before);
    expect(site.sent.map(({ path }) => path)).toContain('/sitemap.xml');
    expect((user + system) / 1_000).toBeLessThan(4_000);
  });

  it.each([
    ['rooms of a calendar', `https://www.google.com/calendar/${'u/0/'.repeat(25_000)}!`],
    ['calendars of one program', `${START}${'/common/modules/iCalendar/iCalendar.aspx?catID=1'.repeat(2_000)}`],
    ['options of one program', `${START}?${'&option=com_jevents&option=com_dpcalendar&'.repeat(2_500)}`],
    ['names that end like no file', `${START}${'.a'.repeat(50_000)}!?format=ical`],
  ])('with one address of many %s is judged in time that grows with it alone', async (_, url) => {
    const survey = await reader.readPage({ url: START, body: Buffer.from(page('Reed Hall')), contentType: 'text/html' });
    const links = [{ url, rel: '', type: '', text: '' }];
    expect(cpuMsOf(() => judgePage({ ...survey, links }))).toBeLessThan(2_000);
  });

  it('names no address that is longer than any site needs', async () => {
    const [short, long] = [3_900, 4_100].map((length) => `${START}${'a'.repeat(length - START.length)}`);
    const html = page('Reed Hall', link(short ?? '', 'Dates'), link(long ?? '', 'Dates'), `<iframe src="${long}"></iframe>`);
    const { links, frames } = await reader.readPage({ url: START, body: Buffer.from(html), contentType: 'text/html' });
    expect([links.map(({ url }) => url), frames]).toEqual([[short, `${START}privacy`], []]);
    const sitemap = `<urlset><url><loc>${short}</loc></url><url><loc>${long}</loc></url></urlset>`;
    const listed = await reader.readPage({ url: START, body: Buffer.from(sitemap), contentType: 'application/xml' });
    expect(listed.links.map(({ url }) => url)).toEqual([short]);
  });

  it('with a redirect behind many blanks is read in time that grows with them alone', () => {
    const html = `<meta http-equiv="refresh" content="0;${' '.repeat(200_000)}''">`;
    const answer = { url: START, body: Buffer.from(html), contentType: 'text/html' };
    expect(cpuMsOf(() => surveyPage(answer))).toBeLessThan(2_000);
  });

  it.each([
    ['one script', `<script>${'a'.repeat(5_000_000)}</script>`],
    ['scripts', '<script>data-data-data-</script>'.repeat(100_000)],
    ['one attribute', `<div data-calendar="${'a'.repeat(5_000_000)}"></div>`],
    ['ids of calendars', `<script>${`"${'a'.repeat(199)}@group.calendar.google.co`.repeat(20_000)}</script>`],
    ['words before an id', `<script>${`${'a'.repeat(200)} `.repeat(25_000)}</script>`],
    ['addresses that do not end', `<script>${'"https://'.repeat(500_000)}</script>`],
    ['long addresses that do not end', `<script>${`"//${'a'.repeat(1_100)}`.repeat(4_500)}</script>`],
    ['redirects', `<script>${'location = "'.repeat(400_000)}</script>`],
    ['blanks in a redirect', `<script>location${' '.repeat(4_000_000)}</script>`],
  ])('of 5 MB of %s is judged in time that grows with it alone', (_, html) => {
    const answer = { url: START, body: Buffer.from(html), contentType: 'text/html' };
    expect(cpuMsOf(() => judgePage(surveyPage(answer)))).toBeLessThan(4_000);
  });

  it.each([
    [
      '"k7@group.calendar.google.com"',
      'https://calendar.google.com/calendar/ical/k7%40group.calendar.google.com/public/basic.ics',
      '',
    ],
    ['"https://h.example/cal/events.ics"', 'https://h.example/cal/events.ics', ''],
    ['"https://h.example/cal/events.ics"', 'https://h.example/cal/events.ics', 'application/json'],
    ['{"@type":"Event"}', START, 'application/ld+json'],
  ])('finds %s at the end of a script of 300 KB', (named, location, type) => {
    const html = page('Reed Hall', `<script type="${type}">[${'"x y",'.repeat(50_000)}${named}]</script>`);
    const { doors } = judgePage(surveyPage({ url: START, body: Buffer.from(html), contentType: 'text/html' }));
    expect(doors.map((door) => door.location)).toEqual([location]);
  });

  it('names a calendar of Google, wherever its id stands in a script', () => {
    const id = 'k7@group.calendar.google.com';
    const html = `<script>${'a'.repeat(100_000)};load("${id}");load('%2Fu/b9%40group.calendar.google.com')</script>`;
    const { doors } = judgePage(surveyPage({ url: START, body: Buffer.from(html), contentType: 'text/html' }));
    expect(doors.map(({ location }) => decodeURIComponent(location.split('/')[5] ?? ''))).toEqual([
      id,
      'b9@group.calendar.google.com',
    ]);
  });

  it('with the feed of a calendar whose name is cut off is judged by what else it names', async () => {
    const feed = link('https://www.google.com/calendar/feeds/%E0%A4%A/public/basic', 'Dates');
    const site = await serve({
      'reedhall.example.org': { pages: { '/': page('Reed Hall', feed, described('Choir', [9])) } },
    });
    expect((await site.find(START)).candidates).toMatchObject([{ kind: 'jsonld', events: 1 }]);
  });
});

import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openReader } from '../../src/providers/index.ts';
import {
  calendar,
  described,
  link,
  type PretendedSites,
  page,
  pretendSites,
  type SentRequest,
  type SiteSet,
} from './pretended-sites.ts';

const reader = openReader();
afterAll(() => reader.close());
let open: PretendedSites | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

async function serve(sites: SiteSet): Promise<PretendedSites> {
  open = await pretendSites(sites, reader);
  return open;
}

const one = (pages: SiteSet[string]['pages'], rest?: SiteSet[string]['rest']): SiteSet => ({
  'reedhall.example.org': { pages, ...(rest && { rest }) },
});
const paths = (sent: readonly SentRequest[]): string[] => sent.map(({ path }) => path);

describe('the sources of a site', () => {
  it('are the way with most events, where there are three into one calendar', async () => {
    const events = [10, 11, 12, 13].map((day) => ({
      id: day,
      title: 'The Long Night',
      status: 'publish',
      start_date: `2031-05-${day} 19:00:00`,
      utc_start_date: `2031-05-${day + 1} 00:00:00`,
      venue: { id: 1, venue: 'Reed Hall', address: '4 Reed St' },
    }));
    const { find } = await serve(
      one(
        {
          '/': page('Reed Hall', '<div class="tribe-events"></div>', link('/events/', 'Events')),
          '/events/': page('Events', described('The Long Night', [10])),
          '/events/?ical=1': calendar('Reed', 'The Long Night', [10, 11]),
        },
        (path) =>
          path.startsWith('/wp-json/tribe/events/v1/events')
            ? { type: 'application/json', body: JSON.stringify({ events, total: 4, total_pages: 1 }) }
            : null,
      ),
    );
    const { candidates } = await find('http://reedhall.example.org/');
    expect(candidates).toHaveLength(1);
    expect(candidates[0]).toMatchObject({
      kind: 'tribe',
      location: 'http://reedhall.example.org/wp-json/tribe/events/v1/events',
      platform: 'the-events-calendar',
      events: 4,
      preferred: true,
      warnings: [],
    });
    expect(candidates[0]?.sample[0]).toEqual({
      title: 'The Long Night',
      start: '2031-05-10T19:00:00-05:00',
      venue: 'Reed Hall',
      address: '4 Reed St',
    });
  });

  it('are found without a scheme, behind a redirect to another host, and in a file itself', async () => {
    const { find } = await serve({
      'old.example.org': { pages: { '/': { status: 301, headers: { location: 'http://new.example.net/home' } } } },
      'new.example.net': {
        pages: {
          '/home': page('Reed Hall', '<link rel="alternate" type="text/calendar" href="/all.ics">'),
          '/all.ics': calendar('Reed Hall', 'Choir', [6, 7]),
        },
      },
    });
    const wanted = [{ kind: 'ical', location: 'http://new.example.net/all.ics', events: 2 }];
    expect((await find('old.example.org')).candidates).toMatchObject(wanted);
    expect((await find('webcal://new.example.net/all.ics')).candidates).toMatchObject(wanted);
    expect((await find('http://new.example.net/all.ics')).candidates).toMatchObject(wanted);
  });

  it('of a page deep in a site are those that it links to', async () => {
    const { find } = await serve(
      one({
        '/': page('Reed Hall', link('/calendar', 'Calendar')),
        '/about/team': page('Team', link('/', 'Home')),
        '/calendar': page('Calendar', described('Choir', [8, 15])),
      }),
    );
    const { candidates } = await find('http://reedhall.example.org/about/team');
    expect(candidates).toMatchObject([{ kind: 'jsonld', location: 'http://reedhall.example.org/calendar', events: 2 }]);
  });

  it('may be pages of single events, in any language', async () => {
    const termine = ['chor', 'markt', 'lesung'];
    const { find } = await serve(
      one({
        '/': page('Gemeinde', link('/veranstaltungen', 'Veranstaltungen')),
        '/veranstaltungen': page('Veranstaltungen', ...termine.map((name) => link(`/termine/${name}`, name))),
        ...Object.fromEntries(termine.map((name, at) => [`/termine/${name}`, page(name, described(name, [10 + at]))])),
      }),
    );
    const { candidates } = await find('http://reedhall.example.org/');
    const location = 'http://reedhall.example.org/veranstaltungen#follow=/termine/';
    expect(candidates).toMatchObject([{ kind: 'jsonld', location, events: 3 }]);
  });

  it('may be named by the sitemap alone', async () => {
    const urls = ['a', 'b', 'c'].map((name) => `<url><loc>http://reedhall.example.org/event/${name}</loc></url>`);
    const { find } = await serve(
      one({
        '/': page('Reed Hall', link('/menu', 'Menu')),
        '/sitemap.xml': { type: 'application/xml', body: `<urlset>${urls.join('')}</urlset>` },
        '/event/a': page('A', described('A', [9])),
        '/event/b': page('B', described('B', [10])),
        '/event/c': page('C', described('C', [11])),
      }),
    );
    const { candidates } = await find('http://reedhall.example.org/');
    expect(candidates).toMatchObject([{ location: 'http://reedhall.example.org/sitemap.xml#follow=/event/', events: 3 }]);
  });

  it('stay two where there are two calendars, and an internal one comes last', async () => {
    const { find } = await serve(
      one({
        '/': page('Town', link('/town.ics', 'Town calendar'), link('/staff.ics', 'Staff (internal)')),
        '/town.ics': calendar('Town', 'Market', [10, 17]),
        '/staff.ics': calendar('Staff', 'Budget meeting', [8, 9, 10]),
      }),
    );
    const { candidates } = await find('http://reedhall.example.org/');
    expect(candidates.map(({ location, preferred }) => [location.replace(/.*\//, ''), preferred])).toEqual([
      ['town.ics', true],
      ['staff.ics', false],
    ]);
    expect(candidates[1]?.warnings).toEqual(['looks internal: staff meetings or private entries']);
  });

  it('stay two where the titles of one are signs alone', async () => {
    const { find } = await serve(
      one({
        '/': page('Town', link('/town.ics', 'Town calendar'), link('/hall.ics', 'Hall calendar')),
        '/town.ics': calendar('Town', 'Market', [10, 17]),
        '/hall.ics': calendar('Hall', '***', [10, 17]),
      }),
    );
    const { candidates } = await find('http://reedhall.example.org/');
    expect(candidates.map(({ location, warnings }) => [location.replace(/.*\//, ''), warnings])).toEqual([
      ['town.ics', []],
      ['hall.ics', []],
    ]);
  });

  it('are found behind words with accents', async () => {
    const plain = ['Haus', 'Team', 'Anfahrt', 'Kontakt'].map((name) => link(`/${name}`, name));
    const { find } = await serve(
      one({ '/': page('Reed Hall', ...plain, link('/a7', 'Führungen')), '/a7': page('Reed Hall', described('Rundgang', [10])) }),
    );
    expect((await find('http://reedhall.example.org/')).candidates).toMatchObject([{ events: 1 }]);
  });

  it.each([
    ['Subscribe (iCal)', 'Reed Hall'],
    ['Zum Kalender hinzufügen', 'Reed Hall'],
    ['Songkick', 'Reed Hall'],
    ['Members of the choir', 'Members of the choir'],
    ['Subscribe to the choir', 'Subscribe to the choir'],
  ])('linked as "%s" are called "%s"', async (text, title) => {
    const { find } = await serve(
      one({ '/': page('Reed Hall', link('/all.ics', text)), '/all.ics': calendar('Reed', 'Choir', [10]) }),
    );
    const { candidates } = await find('http://reedhall.example.org/');
    expect(candidates.map((each) => each.title)).toEqual([title]);
  });

  it('are feeds with dates of events, but no news, and no file of one event', async () => {
    const feed = (item: string) => ({
      type: 'application/rss+xml',
      body: `<rss version="2.0" xmlns:ev="http://purl.org/rss/1.0/modules/event/"><channel><title>x</title><item><title>Choir</title><guid>1</guid><pubDate>Thu, 01 May 2031 09:00:00 GMT</pubDate>${item}</item></channel></rss>`,
    });
    const files = ['a', 'b', 'c', 'd'].map((name) => link(`/files/${name}.ics`, 'ics'));
    const site = await serve(
      one({
        '/': page(
          'Paper',
          '<link rel="alternate" type="application/rss+xml" href="/news.xml"><link rel="alternate" type="application/rss+xml" href="/out.xml">',
          ...files,
        ),
        '/news.xml': feed(''),
        '/out.xml': feed('<ev:startdate>2031-05-09T19:00:00-05:00</ev:startdate>'),
      }),
    );
    const { candidates } = await site.find('http://reedhall.example.org/');
    expect(candidates).toMatchObject([{ kind: 'feed', location: 'http://reedhall.example.org/out.xml', events: 1 }]);
    expect(paths(site.sent).filter((path) => path.endsWith('.ics'))).toEqual([]);
  });

  it.each([
    ['empty', calendar('Reed', 'Choir', []), 'no upcoming events: the calendar is empty'],
    [
      'over',
      { body: page('Fair', described('Fair', [3], '2030-10')) },
      'no upcoming events: all that it lists are over, the last was on 2030-10-03',
    ],
  ])('that are %s come with a warning and are not preferred', async (_, served, warning) => {
    const { find } = await serve(
      one({
        '/': page('Reed', '<link rel="alternate" type="text/calendar" href="/all.ics">', String(served.body ?? '')),
        '/all.ics': served,
      }),
    );
    const { candidates } = await find('http://reedhall.example.org/');
    expect(candidates).toMatchObject([{ events: 0, preferred: false, warnings: [warning] }]);
  });
});

describe('finding sources keeps its manners', () => {
  it('asks a host once a second, forty times at most, with robots.txt, and names a contact', async () => {
    const many = Array.from({ length: 90 }, (_, at) => link(`/gigs/gig-${at}`, `Gig ${at}`));
    const site = await serve(one({ '/': page('Club', ...many) }, (path) => page(path, described(path, [9]))));
    const { candidates, requests } = await site.find('http://reedhall.example.org/');
    expect(candidates[0]?.warnings).toContain('it has more events than were read here');
    expect(requests).toBe(site.sent.length);
    expect(requests).toBeLessThanOrEqual(40);
    expect(site.sent[0]?.path).toBe('/robots.txt');
    for (const [at, { at: time }] of site.sent.entries())
      if (at > 0) expect(time - (site.sent[at - 1]?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(new Set(site.sent.map(({ agent }) => agent))).toEqual(new Set(['Marquee/1 (+https://example.org)']));
  });

  it('stops at fewer requests if it is told so, and says it', async () => {
    const site = await serve(one({ '/': page('Club', link('/events', 'Events'), link('/calendar', 'Calendar')) }));
    const { notes } = await site.find('http://reedhall.example.org/', { maxRequests: 3 });
    expect(site.sent).toHaveLength(3);
    expect(notes.join()).toContain('requests or the time for one address are used up');
  });

  it('never walks a calendar from month to month', async () => {
    const site = await serve(
      one({ '/': page('Studio', link('/calendar/', 'Calendar')) }, (path) =>
        path.startsWith('/calendar/')
          ? page(path, link('/calendar/2031/06/', 'Next month'), link('/calendar/?month=7', 'July'), described('Tango', [9]))
          : null,
      ),
    );
    const { candidates } = await site.find('http://reedhall.example.org/');
    expect(candidates).toMatchObject([{ location: 'http://reedhall.example.org/calendar/', events: 1 }]);
    expect(paths(site.sent)).toEqual(['/robots.txt', '/', '/calendar/']);
  });

  it('leaves out what robots.txt forbids, and says so', async () => {
    const site = await serve(
      one({
        '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /calendar' },
        '/': page('Club', link('/calendar', 'Calendar'), link('/calendar.ics', 'iCal')),
        '/calendar.ics': calendar('Club', 'Night', [9]),
      }),
    );
    const { candidates, notes, isReached } = await site.find('http://reedhall.example.org/');
    expect([candidates, isReached]).toEqual([[], true]);
    expect(notes.join()).toContain('robots.txt of reedhall.example.org keeps programs from');
    expect(paths(site.sent).filter((path) => path.startsWith('/calendar'))).toEqual([]);
  });

  it('waits as long as a busy host asks', async () => {
    let asked = 0;
    const site = await serve(
      one({ '/': page('Pool', link('/all.ics', 'Calendar')) }, (path) => {
        if (path !== '/all.ics') return null;
        asked++;
        return asked > 1 ? calendar('Pool', 'Swim', [9]) : { status: 429, headers: { 'retry-after': '7' } };
      }),
    );
    expect((await site.find('http://reedhall.example.org/')).candidates).toMatchObject([{ events: 1 }]);
    const [first, second] = site.sent.filter(({ path }) => path === '/all.ics');
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(7_000);
  });

  it.each([
    [{ type: 'image/png', body: Uint8Array.of(0x89, 0x50, 0x4e, 0x47) }, 'wanted a web page or a calendar, got image/png'],
    [{ type: 'application/pdf', body: '%PDF-1.7\n%\u0000\n' }, 'wanted a web page or a calendar, got application/pdf'],
    [{ type: 'text/html', body: '' }, 'wanted a web page or a calendar, got nothing, or a file without a type'],
    [{ type: 'application/json', body: '{"items":[1]}' }, 'the address answers with JSON that describes no events'],
    [{ type: 'text/html', body: `<p>${'x'.repeat(6_000_000)}` }, 'larger than 5 MB, and only its beginning was read'],
  ])('names what came in place of a page', async (served, note) => {
    const site = await serve(one({ '/': served }));
    const { notes, isReached } = await site.find('http://reedhall.example.org/');
    expect(notes).toEqual([expect.stringContaining(note)]);
    expect(isReached).toBe(true);
  });

  it.each([
    ['4', 4_000],
    ['3600', 10_000],
  ])('leaves a site with Crawl-delay %s alone for %i ms at a time', async (delay, gap) => {
    const site = await serve(
      one({
        '/robots.txt': { type: 'text/plain', body: `User-agent: *\nCrawl-delay: ${delay}` },
        '/': page('Pool', link('/all.ics', 'Calendar')),
        '/all.ics': calendar('Pool', 'Swim', [9]),
      }),
    );
    expect((await site.find('http://reedhall.example.org/')).candidates).toMatchObject([{ events: 1 }]);
    expect(site.sent.map(({ at }, index) => at - (site.sent[index - 1]?.at ?? 0)).slice(1)).toEqual([gap, gap]);
  });

  it('reads the beginning of a page of 20 MB', async () => {
    const site = await serve(
      one({
        '/': page('Fair', link('/all.ics', 'Calendar'), 'x'.repeat(20 * 1024 * 1024)),
        '/all.ics': calendar('Fair', 'Fair', [9]),
      }),
    );
    expect((await site.find('http://reedhall.example.org/')).candidates).toMatchObject([{ events: 1 }]);
  });

  it('stops at a sign-in', async () => {
    const site = await serve(
      one({
        '/': { status: 302, headers: { location: '/login?next=/' } },
        '/login?next=/': page('Sign in', '<form method="post"><input type="password"></form>'),
      }),
    );
    const { candidates, notes } = await site.find('http://reedhall.example.org/');
    expect([candidates, notes[0]]).toEqual([[], expect.stringContaining('asks to sign in')]);
    expect(site.sent.length).toBeLessThan(5);
  });
});

describe('an address that leads nowhere is answered with a reason', () => {
  it.each([
    ['hello there', 'wanted a web address such as example.org, got "hello there"'],
    ['ftp://example.org/', 'wanted a web address such as example.org, got "ftp://example.org/"'],
    ['http://10.0.0.7/', 'the host 10.0.0.7 is not a public address'],
    ['http://nobody.example.org/', 'nobody.example.org has no address (ENOTFOUND)'],
  ])('%s', async (address, reason) => {
    const { find, sent } = await serve({});
    expect(await find(address)).toMatchObject({ candidates: [], notes: [reason], isReached: false });
    expect(sent).toEqual([]);
  });

  it('a site without events is reached all the same, in few requests', async () => {
    const site = await serve(one({ '/': page('Café', link('/menu', 'Menu'), link('/find-us', 'Find us')) }));
    const { candidates, notes, isReached } = await site.find('http://reedhall.example.org/');
    expect([candidates, isReached]).toEqual([[], true]);
    expect(notes).toEqual([expect.stringContaining('no calendar was found')]);
    expect(site.sent.length).toBeLessThan(8);
  });
});

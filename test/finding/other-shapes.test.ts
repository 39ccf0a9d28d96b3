import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openReader } from '../../src/providers/index.ts';
import { calendar, described, link, type PretendedSites, page, pretendSites, type SiteSet } from './pretended-sites.ts';

const reader = openReader();
afterAll(() => reader.close());
let open: PretendedSites | null = null;
afterEach(async () => {
  await open?.close();
  open = null;
});

type Pages = SiteSet[string]['pages'];
async function find(pages: Pages, rest?: SiteSet[string]['rest']) {
  open = await pretendSites({ 'reedhall.example.org': { pages, ...(rest && { rest }) } }, reader);
  return (await open.find('http://reedhall.example.org/')).candidates;
}

describe('calendars of other shapes are found too', () => {
  const found = (kind: string, path: string, events: number) => [
    { kind, location: `http://reedhall.example.org${path}`, events },
  ];
  const dates = calendar('Reed', 'Chor', [9, 16]);
  const shows = ['lear', 'nora', 'faust'];
  const showPages = Object.fromEntries(shows.map((name, at) => [`/stueck/${name}`, page(name, described(name, [10 + at]))]));
  const urlset = (...paths: string[]): string =>
    `<urlset>${paths.map((path) => `<url><loc>http://reedhall.example.org${path}</loc></url>`).join('')}</urlset>`;
  const tribe = {
    type: 'application/json',
    body: JSON.stringify({ events: [{ id: 1, title: 'Chor', status: 'publish', start_date: '2031-05-09 19:00:00' }], total: 1 }),
  };

  it.each<[string, Pages, ReturnType<typeof found>]>([
    [
      'behind a button',
      { '/': `<button onclick="location.href='/dl/a.ics?all=1'">Kalender</button>`, '/dl/a.ics?all=1': dates },
      found('ical', '/dl/a.ics?all=1', 2),
    ],
    [
      'in a data attribute',
      { '/': '<button data-href="/dl/a.ics">Kalender</button>', '/dl/a.ics': dates },
      found('ical', '/dl/a.ics', 2),
    ],
    [
      'in the JSON of a script',
      {
        '/': String.raw`<script id="__NEXT_DATA__" type="application/json">{"feed":"http:\/\/reedhall.example.org\/api\/a.ics"}</script>`,
        '/api/a.ics': dates,
      },
      found('ical', '/api/a.ics', 2),
    ],
    [
      'in the menu of a script',
      { '/': '<script>{"menu":[{"href":"/spielplan"}]}</script>', '/spielplan': page('Spielplan', described('Chor', [9])) },
      found('jsonld', '/spielplan', 1),
    ],
    [
      'behind webcal: alone',
      { '/': '<a href="webcal://reedhall.example.org/k?t=1">abonnieren</a>', '/k?t=1': dates },
      found('ical', '/k?t=1', 2),
    ],
    [
      'as parameters in brackets',
      { '/': link('/index.php?id=4&tx_cal%5Bformat%5D=ics', 'Export'), '/index.php?id=4&tx_cal%5Bformat%5D=ics': dates },
      found('ical', '/index.php?id=4&tx_cal%5Bformat%5D=ics', 2),
    ],
    [
      'behind "add to Google"',
      {
        '/': link(
          `https://calendar.google.com/calendar/r?cid=${encodeURIComponent('webcal://reedhall.example.org/a')}`,
          'Google',
        ),
        '/a': dates,
      },
      found('ical', '/a', 2),
    ],
    [
      'behind a meta refresh',
      { '/': '<meta http-equiv="refresh" content="0; URL=/de/">', '/de/': page('Reed', described('Chor', [9])) },
      found('jsonld', '/de/', 1),
    ],
    [
      'behind a script that leads on',
      { '/': '<script>window.location.href = "/cms/";</script>', '/cms/': page('Reed', described('Chor', [9])) },
      found('jsonld', '/cms/', 1),
    ],
    [
      'in a frame that waits for consent',
      {
        '/': '<iframe data-cmp-src="http://reedhall.example.org/w?id=7"></iframe>',
        '/w?id=7': page('Reed', described('Chor', [9])),
      },
      found('jsonld', '/w?id=7', 1),
    ],
    [
      'as pages whose address has no word of events',
      {
        '/': page('Reed', link('/spielplan/', 'Spielplan')),
        '/spielplan/': page('Spielplan', ...shows.map((name) => link(`/stueck/${name}`, name))),
        ...showPages,
      },
      found('jsonld', '/spielplan/#follow=/stueck/', 3),
    ],
    [
      'as pages told apart by a number in the query',
      {
        '/': page('Reed', link('/termine.php', 'Termine')),
        '/termine.php': page('Termine', ...[1, 2, 3].map((id) => link(`/termin.php?id=${id}`, 'mehr'))),
        ...Object.fromEntries([1, 2, 3].map((id) => [`/termin.php?id=${id}`, page('x', described(`Chor ${id}`, [9 + id]))])),
      },
      found('jsonld', '/termine.php#follow=/termin.php?id=', 3),
    ],
    [
      'in the sitemap that robots.txt names',
      {
        '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow:\nSitemap: http://reedhall.example.org/map-7.xml' },
        '/': page('Reed', link('/team', 'Team')),
        '/map-7.xml': { type: 'application/xml', body: urlset('/event/lear', '/event/nora') },
        '/event/lear': page('Lear', described('Lear', [9])),
        '/event/nora': page('Nora', described('Nora', [10])),
      },
      found('jsonld', '/map-7.xml#follow=/event/', 2),
    ],
    [
      'in a sitemap packed with gzip',
      {
        '/': page('Reed', link('/team', 'Team')),
        '/sitemap.xml': {
          type: 'application/xml',
          body: '<sitemapindex><sitemap><loc>http://reedhall.example.org/events.xml.gz</loc></sitemap></sitemapindex>',
        },
        '/events.xml.gz': { type: 'application/gzip', body: gzipSync(urlset('/event/lear', '/event/nora')) },
        '/event/lear': page('Lear', described('Lear', [9])),
        '/event/nora': page('Nora', described('Nora', [10])),
      },
      found('jsonld', '/events.xml.gz#follow=/event/', 2),
    ],
  ])('%s', async (_, pages, wanted) => {
    expect(await find(pages)).toMatchObject(wanted);
  });

  it.each([
    [
      'a folder',
      '<link rel="stylesheet" href="/kultur/wp-content/plugins/the-events-calendar/a.css">',
      '/kultur/wp-json/tribe/events/v1/events',
    ],
    [
      'plain addresses',
      '<link rel="https://api.w.org/" href="/index.php?rest_route=/"><div class="tribe-events"></div>',
      '/?rest_route=/tribe/events/v1/events',
    ],
  ])('WordPress in %s', async (_, html, path) => {
    const asked = path.replace('=/tribe/events/v1/events', '=%2Ftribe%2Fevents%2Fv1%2Fevents');
    const candidates = await find({ '/': page('Reed', html) }, (each) => (each.startsWith(asked) ? tribe : null));
    expect(candidates).toMatchObject(found('tribe', path, 1));
  });

  it('of an interface that lists nothing, the last date is told', async () => {
    const past = JSON.stringify({ events: [{ id: 1, title: 'Chor', status: 'publish', start_date: '2030-06-07 19:00:00' }] });
    const candidates = await find({ '/': page('Reed', '<div class="tribe-events"></div>') }, (path) => {
      if (!path.startsWith('/wp-json/tribe/')) return null;
      return { type: 'application/json', body: path.includes('start_date=2031') ? '{"events":[]}' : past };
    });
    expect(candidates).toMatchObject([{ kind: 'tribe', events: 0, preferred: false }]);
    expect(candidates[0]?.warnings).toEqual(['no upcoming events: all that it lists are over, the last was on 2030-06-07']);
  });
});

import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openReader } from '../../src/providers/index.ts';
import { described, link, type PretendedSites, page, pretendSites, type SiteSet } from './pretended-sites.ts';

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
});

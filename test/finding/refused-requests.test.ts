import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openReader } from '../../src/providers/index.ts';
import { calendar, link, type PretendedSites, page, pretendSites, type SiteSet } from './pretended-sites.ts';

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
const START = 'http://reedhall.example.org/';
const SIGN_IN = 'asks to sign in';
const NOTHING = 'no calendar was found';

describe('a site that refuses', () => {
  it('says nothing of a robots.txt that a busy site does not give', async () => {
    const busy = { status: 429, headers: { 'retry-after': '600' } };
    const site = await serve(one({ '/': page('Pool'), '/robots.txt': busy }));
    expect((await site.find('http://reedhall.example.org/')).notes).toEqual([
      'reedhall.example.org answers 429 (too many requests) and asks to wait 10 minutes; try again then',
    ]);
  });

  it.each([
    ['429', { 'retry-after': '600' }, 'answers 429 (too many requests) and asks to wait 10 minutes; try again then'],
    ['429', { 'retry-after': '61' }, 'answers 429 (too many requests) and asks to wait 61 seconds; try again then'],
    ['429', {}, 'answers 429 (too many requests) and does not say how long to wait; try again in an hour'],
    ['503', { 'retry-after': '86400' }, 'answers 503 (out of service for now) and asks to wait 24 hours or more; try again then'],
    [
      '503',
      { 'retry-after': '1000000000000' },
      'answers 503 (out of service for now) and asks to wait 24 hours or more; try again then',
    ],
  ])('says how long a site wants to be left alone that answers %s with %j', async (status, headers, note) => {
    const site = await serve(one({ '/': { status: Number(status), headers } }));
    expect((await site.find('http://reedhall.example.org/')).notes).toEqual([`reedhall.example.org ${note}`]);
  });

  it.each(['12', '600'])('says how long a page wants to be left alone that answers 503 for %s seconds', async (seconds) => {
    const busy = { status: 503, headers: { 'retry-after': seconds } };
    const site = await serve(one({ '/': page('Pool', link('/events/', 'Events')), '/events/': busy }));
    expect((await site.find(START)).notes.join()).toContain(
      'reedhall.example.org answers 503 (out of service for now) and asks to wait',
    );
  });

  it('is asked again for the robots.txt that it gives a few seconds later', async () => {
    let asked = 0;
    const site = await serve(
      one({ '/': page('Pool', link('/all.ics', 'Calendar')), '/all.ics': calendar('Pool', 'Swim', [9]) }, (path) => {
        if (path !== '/robots.txt') return null;
        asked++;
        return asked > 1 ? { type: 'text/plain', body: '' } : { status: 503, headers: { 'retry-after': '5' } };
      }),
    );
    expect((await site.find(START)).candidates).toMatchObject([{ events: 1 }]);
    expect(asked).toBe(2);
    expect(site.sent[1]?.at).toBeGreaterThanOrEqual(5_000);
  });

  it('with 401 asks to sign in', async () => {
    const site = await serve(one({ '/': { status: 401 } }));
    expect((await site.find(START)).notes).toEqual([expect.stringContaining(SIGN_IN)]);
  });

  it('with 401 for its robots.txt and its sitemap has no calendar', async () => {
    const site = await serve(one({ '/robots.txt': { status: 401 }, '/sitemap.xml': { status: 401 }, '/': page('Pool') }));
    expect((await site.find(START)).notes).toEqual([expect.stringContaining(NOTHING)]);
  });

  it('with 401 for one page is told beside that nothing was found', async () => {
    const site = await serve(one({ '/': page('Pool', link('/members/events', 'Events')), '/members/events': { status: 401 } }));
    expect((await site.find(START)).notes).toEqual([
      expect.stringContaining(NOTHING),
      'reedhall.example.org asks to sign in for /members/events, so that was not read',
    ]);
  });

  it.each([
    [0, false],
    [1, true],
  ])('sends 5 MB and %i bytes, and is told as cut: %s', async (more, isCut) => {
    const body = `<p>${'x'.repeat(5 * 1024 * 1024 - 3 + more)}`;
    const site = await serve(one({ '/': body }));
    expect((await site.find(START)).notes.join().includes('larger than 5 MB')).toBe(isCut);
  });

  it('over https alone is no trouble of an address with a fragment', async () => {
    const site = await serve(one({ '/': page('Pool', link('/all.ics', 'Calendar')), '/all.ics': calendar('Pool', 'Swim', [9]) }));
    const [plain, withFragment] = [await site.find('reedhall.example.org'), await site.find('reedhall.example.org/#events')];
    expect(withFragment.notes).toEqual(plain.notes);
    expect(withFragment.candidates).toEqual(plain.candidates);
  });
});

describe('no note repeats a password', () => {
  it.each([
    'ada:s3cret@reedhall.example.org/c.ics',
    'https://ada:s3cret@reedhall.example.org/',
    'webcal://a:s3cret@h.example/',
    'https://user:pa/s3cret@example.org',
    'user:pa/s3cret@example.org',
    'webcal://user:p/s3cret@example.org/',
    'user:pa s3cret@example.org',
    'user:pa@s3cret@exa mple.org',
    'https://:s3cret@example.org:99999999',
    'https://s3cret@example.org:9999999',
    's3cret@example.org:9999999',
  ])('of %s', async (address) => {
    const site = await serve(one({ '/': page('Pool') }));
    const { notes, isReached } = await site.find(address);
    expect([isReached, notes.length, notes.join().includes('s3cret')]).toEqual([false, 1, false]);
  });

  it.each(['webcal', 'http'])('of a page that links a calendar as %s', async (scheme) => {
    const address = `${scheme}://bob:s3cret@reedhall.example.org/e2.ics`;
    const asked: string[] = [];
    const site = await serve(one({ '/': page('Pool', link(address, 'Calendar')) }));
    const { notes } = await site.find(START, { onRequest: (url) => asked.push(url) });
    expect(notes.join()).toContain('reedhall.example.org/e2.ics');
    expect([...notes, ...asked].join()).not.toContain('s3cret');
  });
});

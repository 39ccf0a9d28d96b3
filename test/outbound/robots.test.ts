import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOutbound } from '../../src/outbound/index.ts';
import { parseRobots } from '../../src/outbound/robots.ts';
import { type EvilOrigin, openEvilOrigin, reply } from '../support/network/evil-origin.ts';
import { pretendInternet } from '../support/network/pretended-internet.ts';
import { cpuMsOf } from '../support/processes/cpu-time.ts';

const may = (text: string, path: string) => parseRobots(text, 'Marquee').allows(path);
const all = (...rules: string[]) => ['User-agent: *', ...rules].join('\n');

describe('a robots.txt', () => {
  it.each<[string, string, string, boolean]>([
    ['nothing', '', '/a', true],
    ['an error page', '<!doctype html><title>Not found</title>', '/a', true],
    ['everything', all('Disallow: /'), '/a', false],
    ['an empty rule', all('Disallow:'), '/a', true],
    ['a folder', all('Disallow: /private/'), '/private/a', false],
    ['a folder, beside it', all('Disallow: /private/'), '/privately', true],
    ['the longest rule', all('Disallow: /', 'Allow: /events/'), '/events/1', true],
    ['the longest rule, in any order', all('Allow: /events/', 'Disallow: /events/old/'), '/events/old/1', false],
    ['rules of one length, of which allow wins', all('Disallow: /a', 'Allow: /a'), '/a', true],
    ['asterisks', all('Disallow: /*/old/*.html'), '/events/old/1.html?x', false],
    ['asterisks that do not match', all('Disallow: /*/old/*.html'), '/events/new/1.html', true],
    ['an end', all('Disallow: /*.pdf$'), '/a/b.pdf', false],
    ['an end that is none', all('Disallow: /*.pdf$'), '/a/b.pdf?x', true],
    ['an end without asterisk', all('Disallow: /a$'), '/a', false],
    ['an end before it', all('Disallow: /a$'), '/ab', true],
    ['an end that overlaps', all('Disallow: /ab*ba$'), '/aba', true],
    ['queries', all('Disallow: /*?day='), '/events?day=1', false],
    ['our own name', 'User-agent: *\nDisallow: /\n\nUser-agent: marquee\nDisallow: /b', '/a', true],
    ['our own name with a version', 'User-agent: Marquee/1.0\nDisallow: /a', '/a', false],
    ['another name', 'User-agent: Marqueebot\nDisallow: /\n', '/a', true],
    ['several names', 'User-agent: x\nUser-agent: Marquee\nDisallow: /a', '/a', false],
    [
      'our name twice',
      'User-agent: Marquee\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: Marquee\nDisallow: /b',
      '/b',
      false,
    ],
    ['comments and odd blanks', '\tuser-AGENT : * # all\r\n  DISALLOW:/a # really', '/a', false],
    ['rules of nobody', 'Disallow: /a\nUser-agent: *\nAllow: /', '/a', true],
    ['a site map between names', 'User-agent: *\nSitemap: https://events.example.org/map.xml\nDisallow: /a', '/a', false],
    ['letters beyond ASCII', all('Disallow: /théâtre'), '/th%C3%A9%C3%A2tre/1', false],
    ['escapes in small letters', all('Disallow: /a%2fb'), '/a%2Fb', false],
    ['escapes of plain letters', all('Disallow: /%61'), '/a', false],
  ])('with %s is read by RFC 9309', (_, text, path, isAllowed) => {
    expect(may(text, path)).toBe(isAllowed);
  });

  it.each([
    [all('Crawl-delay: 7', 'Disallow:'), 7_000],
    [all('crawl-delay:0.5'), 500],
    ['User-agent: *\nCrawl-delay: 30\n\nUser-agent: Marquee\nCrawl-delay: 2\nDisallow: /a', 2_000],
    ['User-agent: *\nCrawl-delay: 30\n\nUser-agent: Marquee\nDisallow: /a', 0],
    [all('Crawl-delay: often'), 0],
    ['Crawl-delay: 9\nUser-agent: *\nDisallow: /a', 0],
  ])('%j asks for %i ms between two requests', (text, wanted) => {
    expect(parseRobots(text, 'Marquee').crawlDelayMs).toBe(wanted);
  });

  it('matches as its pattern does when spelt as an expression', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/'), maxLength: 8 }).map((text) => `/${text}`);
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 }).map((text) => `/${text}`);
    fc.assert(
      fc.property(pattern, fc.boolean(), path, (rule, isAnchored, asked) => {
        const twin = new RegExp(`^${rule.replaceAll('*', '.*')}${isAnchored ? '$' : ''}`);
        return may(all(`Disallow: ${rule}${isAnchored ? '$' : ''}`), asked) === !twin.test(asked);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of a site that means harm takes no time', () => {
    const size = 500 * 1024;
    const texts = [
      all(`Disallow: /${'*a'.repeat(size / 2)}`),
      all(...Array(size / 20).fill('Disallow: /*a*a*a*a*b')),
      `${'User-agent: x\n'.repeat(size / 28)}${'Disallow: /a\n'.repeat(size / 26)}`,
      `${'User-agent: *\n'.repeat(size / 28)}${'Disallow: /a\n'.repeat(size / 26)}`,
      all(`Disallow:${' '.repeat(size)}x`),
      all(...Array(500).fill(`Disallow: /*${'a'.repeat(1_000)}b`)),
    ];
    const spent = cpuMsOf(() => texts.map((text) => may(text, `/${'a'.repeat(2_000)}`)));
    expect(spent).toBeLessThan(2_000);
  });
});

describe('a page made for people', () => {
  let origin: EvilOrigin;
  let robots: { status?: number; body?: string | Buffer; headers?: Record<string, string> };
  beforeAll(async () => {
    origin = await openEvilOrigin({ '/robots.txt': (socket) => reply(socket, robots) });
  });
  afterAll(() => origin.close());

  async function visit(paths: string[], options: object = {}) {
    origin.seen.length = 0;
    const outbound = openOutbound({
      ...pretendInternet({ 'events.example.org:80': origin.port, 'other.example.org:80': origin.port }),
      ...options,
    });
    const outcomes = [];
    for (const path of paths) outcomes.push(await outbound.fetch({ url: `http://events.example.org${path}`, isPage: true }));
    await outbound.close();
    return {
      said: outcomes.map((each) => (each.ok === false ? each.code : each.ok)),
      outcomes,
      asked: origin.seen.map(({ path }) => path),
    };
  }

  it('is read where the site lets us, and the site is asked once', async () => {
    robots = { body: all('Disallow: /empty') };
    const { said, asked, outcomes } = await visit(['/fine', '/empty', '/gzip']);
    expect(said).toEqual([true, 'robots', true]);
    expect(asked).toEqual(['/robots.txt', '/fine', '/gzip']);
    expect(outcomes[1]).toMatchObject({ detail: 'the robots.txt of events.example.org forbids this page', retryAfterMs: null });
  });

  it.each([
    [404, true],
    [410, true],
    [403, true],
    [429, 'robots'],
    [500, 'robots'],
    [503, 'robots'],
  ])('of a site whose robots.txt answers with %d is read: %s', async (status, said) => {
    robots = { status, body: all('Disallow: /') };
    expect((await visit(['/fine', '/fine'])).said).toEqual([said, said]);
    expect(origin.seen.filter(({ path }) => path === '/robots.txt')).toHaveLength(1);
  });

  it('of a site that redirects its robots.txt for ever is read, to inner hosts not', async () => {
    robots = { status: 302, headers: { location: '/robots.txt' } };
    expect((await visit(['/fine'])).said).toEqual([true]);
    robots = { status: 302, headers: { location: 'http://169.254.169.254/' } };
    expect((await visit(['/fine'])).said).toEqual(['robots']);
  });

  it('is judged by the beginning of a robots.txt without end', async () => {
    robots = { body: `${all('Disallow: /fine')}\n${'# filler\n'.repeat(100_000)}Allow: /fine/at/last` };
    expect((await visit(['/fine', '/gzip'])).said).toEqual(['robots', true]);
  });

  it('is asked for on the site where a redirect leads, too', async () => {
    robots = { body: all('Disallow: /fine') };
    const { said, asked } = await visit(['/to?url=http%3A%2F%2Fother.example.org%2Ffine']);
    expect(said).toEqual(['robots']);
    expect(asked).toEqual(['/robots.txt', '/to?url=http%3A%2F%2Fother.example.org%2Ffine', '/robots.txt']);
  });

  it('is judged anew after a day, and sooner when the site was in trouble', async () => {
    let now = 0;
    const outbound = openOutbound({ ...pretendInternet({ 'events.example.org:80': origin.port }), now: () => now });
    const ask = async () => {
      const outcome = await outbound.fetch({ url: 'http://events.example.org/fine', isPage: true });
      return outcome.ok === false ? outcome.code : outcome.ok;
    };
    robots = { status: 500 };
    expect(await ask()).toBe('robots');
    robots = { body: '' };
    now = 600_000 - 1;
    expect(await ask()).toBe('robots');
    now = 600_000;
    expect(await ask()).toBe(true);
    robots = { body: all('Disallow: /') };
    now = 600_000 + 86_400_000 - 1;
    expect(await ask()).toBe(true);
    now = 600_000 + 86_400_000;
    expect(await ask()).toBe('robots');
    await outbound.close();
  });

  it('whose reader is stopped before robots.txt is asked leaves no trace, neither there nor for others', async () => {
    robots = { body: '' };
    origin.seen.length = 0;
    const outbound = openOutbound(pretendInternet({ 'events.example.org:80': origin.port }));
    const over = new AbortController();
    let go = () => {};
    const waits = new Promise<void>((resolve) => {
      go = resolve;
    });
    const url = 'http://events.example.org/fine';
    const beforeHop = () => waits.then(() => over.abort());
    const stopped = outbound.fetch({ url, isPage: true, signal: over.signal, beforeHop });
    const other = outbound.fetch({ url, isPage: true });
    go();
    expect(await stopped).toMatchObject({ code: 'stopped' });
    expect(await other).toMatchObject({ ok: true });
    expect(await outbound.fetch({ url, isPage: true })).toMatchObject({ ok: true });
    expect(origin.seen.map(({ path }) => path)).toEqual(['/robots.txt', '/fine', '/fine']);
    await outbound.close();
  });

  it('is not asked for when it is a feed', async () => {
    robots = { body: all('Disallow: /') };
    origin.seen.length = 0;
    const outbound = openOutbound(pretendInternet({ 'events.example.org:80': origin.port }));
    expect(await outbound.fetch({ url: 'http://events.example.org/fine' })).toMatchObject({ ok: true });
    expect(origin.seen.map(({ path }) => path)).toEqual(['/fine']);
    await outbound.close();
  });
});

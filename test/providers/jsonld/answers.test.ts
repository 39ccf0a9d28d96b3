import { describe, expect, it } from 'vitest';
import { jsonld } from '../../../src/providers/kinds/jsonld.ts';
import type { ListingPage } from '../../../src/providers/provider.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { eventsOf, html, PAGE, read, readText, reasonsOf, SHOW, SOURCE, script } from './pages.ts';

describe('the scripts of a page', () => {
  it.each<[string, string]>([
    [
      'comments',
      `// tonight\n{"@type":"Event", /* the name */ "name":"Quay // <!-- Songs", // really\n"startDate":"2026-07-04"}`,
    ],
    ['comments of HTML', '<!-- tonight -->\n{"@type":"Event","name":"Quay // <!-- Songs","startDate":"2026-07-04"}\n-->'],
    [
      'a comment of HTML that hides it from old browsers',
      '<!--\n{"@type":"Event","name":"Quay // <!-- Songs","startDate":"2026-07-04"}\n//-->',
    ],
    ['CDATA marks', '//<![CDATA[\n{"@type":"Event","name":"Quay // <!-- Songs","startDate":"2026-07-04"}\n//]]>'],
    ['bare CDATA marks', '<![CDATA[{"@type":"Event","name":"Quay // <!-- Songs","startDate":"2026-07-04"}]]>'],
    ['commas too many', '{"@type":"Event","name":"Quay // <!-- Songs",,"startDate":"2026-07-04",\t\n,}'],
    ['a semicolon', '{"@type":["Event",],"name":"Quay // <!-- Songs","startDate":"2026-07-04"};'],
    ['a byte order mark', '\ufeff{"@type":"Event","name":"Quay // <!-- Songs","startDate":"2026-07-04"}'],
  ])('may have %s', (_, text) => {
    expect(eventsOf(readText(html(script(text))))).toMatchObject([{ title: 'Quay // <!-- Songs', start: '2026-07-04' }]);
  });

  it('may have control characters and unknown escapes in their texts', () => {
    const text = `{"@type":"Event","name":"Ana\\'s \\x night","startDate":"2026-07-04","description":"one\ntwo\u0001\tthree\\\n"}`;
    expect(eventsOf(readText(html(script(text))))).toMatchObject([
      { title: "Ana's x night", description: 'one\ntwo\u0001\tthree' },
    ]);
  });

  it.each<[string, string, string[]]>([
    ['a quote inside', '{"@type":"Event","name":"The "Quay" Songs","url":"https://a.example/1"}', ['The "Quay" Songs']],
    [
      'a list in quotes inside',
      '{"@type":"Event","name":"Say "A", "B" or "C"","url":"https://a.example/1"}',
      ['Say "A", "B" or "C"'],
    ],
    ['a quote at either end', '{"@type":"Event","name":""Quay" and "Songs"","url":"/1"}', ['"Quay" and "Songs"']],
    [
      'a line break inside',
      '{"@type":"Event","name":"Quay","description":"one\r\ntwo: "three"\n"}'.replaceAll('\\n', '\n'),
      ['Quay'],
    ],
    ['no comma', '{"@type":"Event" "name":"Quay"\n"url":"/1" "image":["/a" ]}'.replaceAll('\\n', '\n'), ['Quay']],
    ['no value', '{"@type":"Event","name":"Quay","url":,"image":}', ['Quay']],
    [
      'constants of Python',
      '{"@type":"Event","name":"Quay","isAccessibleForFree":True,"image":None,"offers":{"price":NaN}}',
      ['Quay'],
    ],
    ['a number that begins with 0', '{"@type":"Event","name":"Quay","location":{"address":{"postalCode":01234}}}', ['Quay']],
    [
      'two objects without a list',
      '{"@type":"Event","name":"A","url":"/a"}\n{"@type":"Event","name":"B","url":"/b"}',
      ['A', 'B'],
    ],
    ['two objects and a comma', '{"@type":"Event","name":"A","url":"/a"},{"@type":"Event","name":"B","url":"/b"}', ['A', 'B']],
    ['text behind', '{"@type":"Event","name":"A"} See [our calendar] for more}', ['A']],
    ['an assignment', 'var data = {"@type":"Event","name":"A"};\nsend(data);', ['A']],
    [
      'quotes escaped for HTML',
      '{&quot;@type&quot;:&quot;Event&quot;,&quot;name&quot;:&quot;A &amp;amp; B&quot;}',
      ['A &amp; B'],
    ],
    ['quotes of JSON in JSON', JSON.stringify('{"@type":"Event","startDate":"2026-07-04","name":"A"}'), ['A']],
    ['beautiful quotes', '{“@type”: “Event”, “name”: “A”}', ['A']],
    ['tags of an editor', '<p>{<br />\n"@type":"Event",<br />\n"name":"A"</p>\n<p>}</p>', ['A']],
    ['a byte order mark in the middle', '\ufeff \ufeff{"@type":"Event","name":"A",}', ['A']],
  ])('are read although they have %s', (_, text, names) => {
    const page = readText(
      html(
        script(
          text
            .replace('"name"', '"startDate":"2026-07-04","name"')
            .replace(',"name":"B"', ',"startDate":"2026-07-04","name":"B"')
            .replace('&quot;name', '&quot;startDate&quot;:&quot;2026-07-04&quot;,&quot;name')
            .replace('“name', '“startDate”:“2026-07-04”,“name'),
        ),
      ),
    );
    expect(reasonsOf(page)).toEqual([]);
    expect(eventsOf(page).map(({ title }) => title)).toEqual(names);
  });

  const good = (name: string) =>
    `{"@type":"Event","name":"${name}","startDate":"2026-07-04","url":"/${name}","offers":[{"price":1},{"price":2}]}`;
  it.each<[string, string, string[], string]>([
    [
      'a template that was not filled in',
      `[${good('A')},{"@type":"Event","name":{{ name }},"offers":[{"price":1},{"price":2}]},${good('B')}]`,
      ['A', 'B'],
      'wanted a name in quotes or a closing brace, got "{ name }},',
    ],
    [
      'a value that is none',
      `[{"@type":"Event","name":<?= name ?>,"offers":[{"price":1},{"price":2}]},\n${good('B')}]`,
      ['B'],
      'wanted a value, got',
    ],
    [
      'a quote that is missing',
      `[${good('A')},\n{"@type":"Event","name":"Lost,"url":"/x"},\n${good('B')}]`,
      ['A', 'B'],
      'wanted a closing quote before it, got',
    ],
    [
      'a brace that is missing',
      `{"@graph":[${good('A')},{"@type":"Event","name":"Lost","startDate":"2026-07-04",\n${good('B')},${good('C')}]}`,
      ['A', 'C'],
      'wanted a name in quotes or a closing brace, got',
    ],
    [
      'an end that is missing',
      `{"@context":"x","@graph":[${good('A')},${good('B')},{"@type":"Event","name":"Lost","startDate":"2026-07-04","loc`,
      ['A', 'B'],
      'wanted a closing quote, got',
    ],
    [
      'an end within a text',
      `[${good('A')},{"@type":"Event","startDate":"2026-07-04","name":"Lo`,
      ['A'],
      'wanted a closing quote of this text, got "\\"Lo" at line 1, column ',
    ],
    ['two of three broken', `[{"@type":"Event","name":?},${good('A')},{"@type":"Event",name:1}]`, ['A'], 'wanted a value, got'],
  ])('cost no more than the record with %s', (_, text, names, reason) => {
    const page = readText(
      html(script({ ...SHOW, name: 'Before' }), script(text), script({ ...SHOW, name: 'After', url: '/after' })),
    );
    expect(eventsOf(page).map(({ title }) => title)).toEqual(['Before', ...names, 'After']);
    expect(reasonsOf(page)[0]).toContain(`null: script 2: the document is not JSON: ${reason}`);
    expect(reasonsOf(page)[0]).toMatch(/ at line \d+, column \d+$/);
  });

  it('name 20 of their flaws at most', () => {
    const page = readText(html(script(`[${'{"@type":"Event","name":?},'.repeat(50)}${good('A')}]`)));
    expect(eventsOf(page)).toHaveLength(1);
    expect(reasonsOf(page)).toHaveLength(21);
    expect(reasonsOf(page)[20]).toBe('null: script 1: the document is not JSON in 30 more places');
  });

  it('end where HTML says that they end', () => {
    const broken = { ...SHOW, name: 'Say </script><script>alert(1)</script>' };
    const page = readText(
      html(
        script(broken),
        '<!-- <script type="application/ld+json">{"@type":"Event","name":"In a comment","startDate":"2026-07-04"}</script> -->',
        '<textarea><script type="application/ld+json">{"@type":"Event","name":"In a form","startDate":"2026-07-04"}</script></textarea>',
        `<script type='text/javascript'>var a = '<script type="application/ld+json">{"@type":"Event"}';</script>`,
        `<SCRIPT data-x=">" TYPE='application/LD+JSON; charset=utf-8'>${JSON.stringify({ ...SHOW, name: 'Kept <\\/script>' })}</SCRIPT >`,
        '<script type="application/ld+json">{"@type":"Event","name":"Cut off","startDate":',
      ),
    );
    expect(eventsOf(page).map(({ title }) => title)).toEqual(['Kept <\\/script>']);
    expect(reasonsOf(page)).toEqual([
      expect.stringMatching(/^null: script 1: the document is not JSON: /),
      'null: the page ends within a script',
    ]);
  });

  it('are read up to 50, of a megabyte each, and their @context is never fetched', () => {
    const scripts = Array.from({ length: 200 }, (_, index) =>
      script({ ...SHOW, '@context': 'https://evil.example/context.jsonld', url: `/e/${index}` }),
    );
    const page = readText(html(...scripts));
    expect(eventsOf(page)).toHaveLength(50);
    expect(page.next).toEqual([]);
    expect(reasonsOf(page)).toEqual(['null: the page has 200 JSON-LD scripts, of which 50 were read']);
    const large = readText(html(script({ ...SHOW, description: 'x'.repeat(1024 * 1024) }), script(SHOW)));
    expect(eventsOf(large)).toHaveLength(1);
    expect(reasonsOf(large)).toEqual(['null: script 1 is larger than 1048576 characters']);
  });

  it('may hold a graph of ten thousand', () => {
    const graph = Array.from({ length: 10_000 }, (_, index) => ({
      '@type': 'Event',
      '@id': `#${index}`,
      name: 'N',
      startDate: '2026-07-04',
    }));
    expect(eventsOf(read({ '@graph': graph }))).toHaveLength(10_000);
  });

  it('are limited in depth and keep no prototypes', () => {
    const page = readText(
      html(
        script('['.repeat(100_000)),
        script(`${'{"a":'.repeat(70)}1${'}'.repeat(70)}`),
        script(
          '{"@type":"Event","name":"Quay","startDate":"2026-07-04","__proto__":{"isOnline":true},"offers":{"__proto__":{"price":1}}}',
        ),
      ),
    );
    expect(eventsOf(page)).toMatchObject([{ title: 'Quay', priceMin: null, isOnline: false }]);
    expect(reasonsOf(page)).toEqual([
      'null: script 1: the document is nested deeper than 64 levels',
      'null: script 2: the document is nested deeper than 64 levels',
    ]);
  });
});

describe('an answer', () => {
  it('may be JSON-LD without a page', () => {
    expect(eventsOf(readText(JSON.stringify([SHOW])))).toMatchObject([{ title: 'Quay Songs' }]);
  });

  it.each(['', 'Service temporarily unavailable', '%PDF-1.7 ...'])('that is %j is no page', (text) => {
    expect(() => readText(text)).toThrow(new ProviderError('not_of_the_kind', 'the response is not a web page'));
  });

  it('without events is a page without listings', () => {
    expect(readText('<html><form action="/login"><input name=password></form>')).toEqual({ listings: [], next: [] });
  });
});

describe('the pages to ask for', () => {
  const urls = (page: ListingPage) => page.next.map(({ url }) => url);
  const list = html(
    '<base href="https://harbour.example/en/">',
    '<a href="/e/1">One</a><a href="../e/2#tickets">Two</a><a href="e/3?x=1&amp;y=2">Three</a><a href=/e/1>Again</a>',
    '<a href="https://other.example/e/4">Other host</a><a href="http://user:pw@harbour.example/e/5">Credentials</a>',
    '<a href="javascript:alert(1)/e/">Script</a><a href="/about">About</a><a href="http://[/e/">Bad</a><a href="https://www.harbour.example/e/6">www</a>',
    '<a rel="next nofollow" href="/calendar?page=2">More</a>',
  );

  it('is the page of the location first', () => {
    expect(jsonld.request({ ...SOURCE, location: 'https://harbour.example/calendar?x=1#follow=/e/' })).toMatchObject({
      url: 'https://harbour.example/calendar?x=1',
      isPage: true,
    });
    expect(jsonld.request({ ...SOURCE, location: 'file:///srv/calendar.html' }).url).toBe('file:///srv/calendar.html');
    for (const location of ['calendar', 'ftp://harbour.example/', 'javascript:1'])
      expect(() => jsonld.request({ ...SOURCE, location })).toThrow(ProviderError);
  });

  it('are none when the location names none', () => {
    expect(urls(readText(list))).toEqual([]);
  });

  it('are the links on the same host whose path is named, and the next page of the list', () => {
    const page = readText(list, { location: `${PAGE}#follow=/e/` });
    expect(urls(page)).toEqual([
      'https://harbour.example/e/1',
      'https://harbour.example/e/2',
      'https://harbour.example/en/e/3?x=1&y=2',
      'https://www.harbour.example/e/6',
      'https://harbour.example/calendar?page=2',
    ]);
    expect(page.next.every(({ isPage }) => isPage)).toBe(true);
  });

  it('are none on a page that was itself followed, but some where the source begins', () => {
    expect(urls(readText(list, { location: `${PAGE}#follow=/e/`, url: 'https://harbour.example/e/1' }))).toEqual([]);
    expect(
      urls(readText(list, { location: 'http://www.harbour.example/e/#follow=/e/', url: 'https://harbour.example/e' })),
    ).toHaveLength(5);
  });

  it('are at most 500', () => {
    const links = Array.from({ length: 2000 }, (_, index) => `<a href="/e/${index}">`);
    expect(urls(readText(html(...links), { location: `${PAGE}#follow=/e/` }))).toHaveLength(500);
  });

  it('are those of a sitemap, the latest changed first', () => {
    const entry = (loc: string, changed = '') => `<url><loc> ${loc}</loc>${changed && `<lastmod>${changed}</lastmod>`}</url>`;
    const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[
      entry('https://harbour.example/e/old', '2025-01-01'),
      entry('https://harbour.example/e/new?a=1&amp;b=2', '2026-06-01T10:00:00Z'),
      entry('https://harbour.example/about', '2026-06-02'),
      entry('https://other.example/e/1', '2026-06-03'),
      entry('https://harbour.example/e/undated'),
    ].join('')}</urlset>`;
    const at = 'https://harbour.example/sitemap.xml';
    expect(urls(readText(sitemap, { location: `${at}#follow=/e/`, url: at }))).toEqual([
      'https://harbour.example/e/new?a=1&b=2',
      'https://harbour.example/e/old',
      'https://harbour.example/e/undated',
    ]);
    expect(urls(readText(sitemap, { location: at, url: at }))).toHaveLength(4);
  });

  it('are the sitemaps of an index, those of events first', () => {
    const index = `<sitemapindex><sitemap><loc>https://harbour.example/post.xml</loc></sitemap><sitemap><loc>https://harbour.example/event-1.xml</loc></sitemap><sitemap><loc>https://harbour.example/event-2.xml.gz</loc></sitemap></sitemapindex>`;
    expect(urls(readText(index, { location: 'https://harbour.example/sitemap.xml#follow=/e/' }))).toEqual([
      'https://harbour.example/event-1.xml',
      'https://harbour.example/event-2.xml.gz',
      'https://harbour.example/post.xml',
    ]);
  });

  it('are none of a sitemap with entities', () => {
    const laughs = '<!DOCTYPE urlset [<!ENTITY a "ha">]><urlset><url><loc>https://harbour.example/&a;</loc></url></urlset>';
    expect(() => readText(laughs)).toThrow(ProviderError);
  });
});

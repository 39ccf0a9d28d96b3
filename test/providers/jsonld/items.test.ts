import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListingPage } from '../../../src/providers/provider.ts';
import { cpuMsOf } from '../../support/processes/cpu-time.ts';
import { eventsOf, html, one, PAGE, readText, reasonsOf, SHOW, script } from './pages.ts';

const event = (inside: string, type = 'https://schema.org/MusicEvent') => `<div itemscope itemtype="${type}">${inside}</div>`;
const START = '<meta itemprop="startDate" content="2026-07-04T20:00:00-04:00">';
const FULL = event(`
  <h1><a itemprop="name" href="/e/1">Quay <b>Songs</b> &amp; more</a></h1> <a itemprop="url" href="/e/1">More</a>
  <time itemprop="startDate" datetime="2026-07-04T20:00-0400">July 4, 8 pm</time><time itemprop="endDate">2026-07-04T23:00-0400</time>
  <div itemprop="description"><p>One &lt;two&gt;<script>var three;</script><p>Four<br>five</div>
  <img itemprop="image" src="/1.jpg" alt="x">
  <link itemprop="eventStatus" href="https://schema.org/EventPostponed"/>
  <ul><li itemprop="performer" itemscope itemtype="https://schema.org/Person"><span itemprop="name">Ana Quill</span>
  <li itemprop="performer" itemscope itemtype="https://schema.org/MusicGroup"><span itemprop="name">The Tides</span></ul>
  <div itemprop="location" itemscope itemtype="https://schema.org/Place"><span itemprop="name">Net Shed</span>
    <p itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="streetAddress">1 Quay St</span>,
      <span itemprop="addressLocality">Port Alder</span>
    <div itemprop="geo" itemscope itemtype="https://schema.org/GeoCoordinates"><meta itemprop="latitude" content="40.7012"><data itemprop="longitude" value="-74.0123">west</data></div>
  </div>
  <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="12.50">$12.50</span></div>`);
const WANTED = {
  title: 'Quay Songs & more',
  category: 'concert',
  start: '2026-07-04T20:00:00-04:00',
  end: '2026-07-04T23:00:00-04:00',
  description: 'One <two>\nFour\nfive',
  image: 'https://harbour.example/1.jpg',
  url: 'https://harbour.example/e/1',
  externalId: 'https://harbour.example/e/1',
  status: 'postponed',
  performers: ['Ana Quill', 'The Tides'],
  priceMin: 12.5,
  venue: { name: 'Net Shed', address: '1 Quay St, Port Alder', latitude: 40.7012, longitude: -74.0123 },
};

describe('microdata', () => {
  it('says what JSON-LD says', () => {
    expect(eventsOf(readText(html(FULL)))).toMatchObject([WANTED]);
    expect(reasonsOf(readText(html(FULL)))).toEqual([]);
  });

  it('is read as RDFa Lite, too', () => {
    const rdfa = FULL.replaceAll('itemscope itemtype', 'typeof')
      .replaceAll('itemprop', 'property')
      .replaceAll('https://schema.org/', '')
      .replaceAll('href="Event', 'href="https://schema.org/Event');
    expect(
      eventsOf(readText(html('<meta property="og:title" content="x">', `<main vocab="https://schema.org/">${rdfa}</main>`))),
    ).toMatchObject([WANTED]);
    const prefixed = `<div typeof="schema:Event" resource="#show"><span property="schema:name">Quay</span><span property="schema:startDate" content="2026-07-04"></span>
      <a property="schema:location" resource="#shed">there</a></div><div typeof="schema:Place" resource="#shed"><b property="schema:name">Net Shed</b></div>`;
    expect(eventsOf(readText(html(prefixed)))).toMatchObject([
      { title: 'Quay', externalId: `${PAGE}#show`, venue: { name: 'Net Shed' } },
    ]);
  });

  it('is not read where the page has events as JSON-LD, but where its script is broken', () => {
    expect(eventsOf(readText(html(script(SHOW), FULL))).map(({ title }) => title)).toEqual(['Quay Songs']);
    const page = readText(html(script({ '@type': 'WebSite' }), script('{"@type":"Event",?'), FULL));
    expect(eventsOf(page)).toMatchObject([WANTED]);
    expect(reasonsOf(page)).toEqual([expect.stringMatching(/^null: script 2: the document is not JSON: /)]);
    expect(page.listings.map(({ index }) => index)).toEqual([1, 2]);
  });

  it.each<[string, string, object]>([
    ['a place in words', '<span itemprop="location">Net Shed</span>', { venue: { name: 'Net Shed' } }],
    [
      'an address in words',
      '<div itemprop="location" itemscope itemtype="http://schema.org/Place"><b itemprop="name">Shed</b><i itemprop="address">1 Quay St</i></div>',
      { venue: { name: 'Shed', address: '1 Quay St' } },
    ],
    [
      'several properties of one element',
      '<span itemprop="performer organizer">Ana</span>',
      { performers: ['Ana'], organizer: 'Ana' },
    ],
    ['a property by its address', '<span itemprop="http://schema.org/organizer">Ana</span>', { organizer: 'Ana' }],
    ['a link that names somebody', '<a itemprop="performer" href="/ana">Ana</a>', { performers: ['Ana'] }],
    ['a link without a text', '<a itemprop="image" href="/a.jpg"></a>', { image: 'https://harbour.example/a.jpg' }],
    ['properties outside', '</div><p id="x"><b itemprop="organizer">Ana</b></p><div>', {}],
    ['elements without an end', '<p><ul><li><span itemprop="organizer">Ana', { organizer: 'Ana' }],
    ['an end of nothing', '</span></b></li><span itemprop="organizer">Ana</span>', { organizer: 'Ana' }],
    ['a name like a prototype', '<span itemprop="__proto__ constructor">Ana</span>', { organizer: null }],
  ])('may have %s', (_, inside, wanted) => {
    const [read] = eventsOf(readText(html(event(`<h1 itemprop="name">Quay</h1>${START}${inside}`))));
    expect(read).toMatchObject({ title: 'Quay', start: '2026-07-04T20:00:00-04:00', ...wanted });
  });

  it('refers to properties elsewhere, also in circles', () => {
    const page = readText(
      html(
        '<div id="where"><div itemprop="location" itemscope itemtype="https://schema.org/Place" itemref="back"><b itemprop="name">Net Shed</b></div></div>',
        '<p id="who" itemprop="organizer">Ana</p>',
        `<div id="back"><div itemprop="event" itemscope itemtype="https://schema.org/Event" itemref="where who gone"><b itemprop="name">Quay</b>${START}</div></div>`,
        `<div itemscope itemtype="https://schema.org/Event" itemref="where who"><b itemprop="name">Tides</b>${START}<a itemprop="url" href="/t"></a></div>`,
      ),
    );
    expect(eventsOf(page).map(({ title, organizer, venue }) => [title, organizer, venue.name])).toEqual([
      ['Quay', 'Ana', 'Net Shed'],
      ['Tides', 'Ana', 'Net Shed'],
    ]);
  });

  it.each(['prefix="og: https://ogp.me/ns# s: https://schema.org/"', 'xmlns:s="http://schema.org/"'])(
    'may call schema.org by any prefix in RDFa: %s',
    (declared) => {
      const rdfa = `<div ${declared} typeof="s:Event"><b property="s:name">Quay</b><i property="og:title">Not this</i>
        <time property="s:startDate" datetime="2026-07-04T20:00">8</time></div>`;
      expect(eventsOf(readText(rdfa)).map(({ title, start }) => [title, start])).toEqual([['Quay', '2026-07-04T20:00:00']]);
    },
  );

  it('is refused event by event, with reasons', () => {
    const page = readText(
      html(
        event('<b itemprop="name">Quay</b><meta itemprop="startDate" content="soon">'),
        event(`<i itemprop="name">Tides</i>${START}`),
      ),
    );
    expect(eventsOf(page).map(({ title }) => title)).toEqual(['Tides']);
    expect(reasonsOf(page)).toEqual(['start: wanted an ISO 8601 date, got "soon"']);
  });

  it('says the same as JSON-LD of the same words', () => {
    const text = fc
      .string({ minLength: 1 })
      .map((each) =>
        each
          .replace(/[^\p{L}\p{N} '"&<>.,-]/gu, '')
          .replace(/\s+/g, ' ')
          .trim(),
      )
      .filter((each) => each !== '' && !/^https?/.test(each));
    const escaped = (each: string) => each.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('performer', 'keywords', 'organizer', 'location', 'description'), text), {
          maxLength: 5,
        }),
        text,
        (said, name) => {
          const values = Object.fromEntries(
            Map.groupBy(said, ([key]) => key)
              .entries()
              .map(([key, all]) => [key, all.map(([, value]) => value)]),
          );
          const inside = said.map(([key, value]) => `<p itemprop="${key}">${escaped(value)}</p>`).join('<hr>');
          const [read] = eventsOf(readText(html(event(`<b itemprop="name">${escaped(name)}</b>${START}${inside}`))));
          expect(read).toEqual(one({ ...SHOW, '@type': 'MusicEvent', ...values, name }));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('a page with no such words', () => {
  it('says so of a microformat, unless its links are followed', () => {
    const page = html(
      '<div class="vcalendar"><article class="card h-event"><a class="u-url" href="/e/1">Quay</a></article></div>',
    );
    expect(reasonsOf(readText(page))).toEqual([
      'null: the page describes its events as a microformat (h-event), which the kind `microformats` reads: wanted JSON-LD, microdata or RDFa of schema.org',
    ]);
    expect(readText(page, { location: `${PAGE}#follow=/e/` })).toMatchObject({
      listings: [],
      next: [{ url: 'https://harbour.example/e/1' }],
    });
  });

  it('has no listings', () => {
    expect(
      readText(
        html('<div itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ana</b></div>', '<p>h-event typeof</p>'),
      ).listings,
    ).toEqual([]);
  });
});

describe('hostile items', () => {
  const many = (piece: string) => piece.repeat(Math.ceil(400_000 / piece.length));
  it.each<[string, string]>([
    ['items nested without end', many('<b itemscope itemprop="subEvent" itemtype="Event">')],
    ['items that nest and end', many('<b itemscope itemprop="subEvent" itemtype="Event"></b>')],
    ['elements nested without end', `<b itemscope>${many('<i>')}`],
    ['texts nested without end', `<b itemscope>${many('<i itemprop="name">x')}`],
    ['texts that nest and end', `<b itemscope>${many('<i itemprop="name">x<i itemprop="name">x</i></i>')}`],
    ['ends of nothing', `<b itemscope>${many('</i></p>')}`],
    ['names without end', `<b itemscope><i itemprop="${many('a ')}">x</i>`],
    ['references to all', `${many('<b itemscope itemref="a b c" id="a"><i id="b" itemprop="name">x</i></b>')}`],
    [
      'references to one',
      `<div id="a">${'<i itemprop="name">x</i>'.repeat(5_000)}</div>${'<b itemscope itemtype="Event" itemref="a"></b>'.repeat(5_000)}`,
    ],
    ['references without an end', many(' itemref="')],
    ['list items without end', `<b itemscope>${many('<li itemprop=name>x')}`],
    ['classes without end', `<b itemscope class="${many('h-even ')}">`],
  ])('with %s cost less than two seconds', (_, text) => {
    let page: ListingPage | undefined;
    expect(cpuMsOf(() => (page = readText(`<p>${text}`)))).toBeLessThan(2_000);
    expect(page?.next).toEqual([]);
  });

  it('of any tags are read or refused', () => {
    const piece = fc.constantFrom(
      ...[
        '<div itemscope itemtype="https://schema.org/Event">',
        '<b itemprop="name">',
        'Quay',
        '</b>',
        '</div>',
        START,
        '<p id="a" itemprop="location" itemscope>',
      ],
      ...[
        '<i itemprop="subEvent" itemscope itemtype="Event" itemref="a b">',
        '<div id="b">',
        '<li itemprop="url">',
        '<a itemprop="image" href="',
        '"',
        '<script>',
        '</script>',
        '</i>',
      ],
      ...[
        '<b typeof="Event" property="subEvent" resource="#a">',
        '<b property="name">',
        '<b property="startDate" content="2026-07-04">',
        '<meta itemprop="">',
        '&amp;',
        '&#0;',
        '<!--',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const { title, start } of eventsOf(readText(`<p>${pieces.join('')}`)))
          expect([Boolean(title?.trim()), Boolean(start)]).toEqual([true, true]);
      }),
      { numRuns: 300 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { ALWAYS, eventsIn, facts, fates, provider, readPage } from '../support/fakes/provider.ts';

const HOME = 'https://walkers.example/walks';
const read = (html: string) => readPage('microformats', Buffer.from(html), { ...ALWAYS, location: HOME });
const only = async (html: string) => eventsIn(await read(html))[0]!;
const walk = (...inside: string[]) => `<article class="h-event"><h2 class="p-name">Moss Walk</h2>${inside.join('')}</article>`;
const START = '<time class="dt-start" datetime="2026-07-04T09:00:00-04:00">July 4</time>';

describe('microformats', () => {
  it('are refused where there are more than any page has', async () => {
    const many = (count: number) => '<p class="h-event">'.repeat(count);
    expect((await read(many(100))).listings).toHaveLength(100);
    await expect(read(many(5_001))).rejects.toThrow('the page has more than 5000 microformats');
  });

  it.each([
    ['one event', `<div class="h-event">${'<i class="p-name">x</i>'.repeat(3_001)}</div>`, 'more than 3000 properties'],
    [
      'one event of hCalendar',
      `<div class="vevent">${'<i class="summary">x</i>'.repeat(3_001)}</div>`,
      'more than 3000 properties',
    ],
    ['a page', walk('<i class="p-category">x</i>'.repeat(40)).repeat(400), 'the page has more than 15000 properties'],
  ])('are refused where %s has more properties than any', async (_, html, reason) => {
    await expect(read(html)).rejects.toThrow(reason);
  });

  it('are read from a list of 500 events with twenty properties each', async () => {
    const html = walk(START, '<i class="p-category">x</i>'.repeat(18)).repeat(500);
    expect((await read(`<div class="h-feed">${html}</div>`)).listings.length).toBeGreaterThan(0);
  });

  it('are asked for as a page', () => {
    expect(provider('microformats').request(facts({ location: HOME }))).toMatchObject({ url: HOME, isPage: true });
  });

  it('give the events of a list with page, end, words, picture and place', async () => {
    const html = walk(
      '<a class="u-url" href="/walks/moss">More</a>',
      START,
      '<time class="dt-end" datetime="2026-07-04T11:30:00-04:00">11:30</time>',
      '<img class="u-photo" src="/moss.jpg" alt="">',
      '<span class="p-category">nature</span>',
      '<p class="p-location h-card"><span class="p-name">Fern Gate</span>, <span class="p-street-address">18 Lichen Way</span>, ',
      '<span class="p-locality">Mossford</span> <span class="p-postal-code">10988</span>',
      '<data class="p-latitude" value="40.5"></data><data class="p-longitude" value="-73.5"></data></p>',
      '<div class="e-content"><p>Wear <b>boots</b>.</p></div>',
    );
    expect(await only(`<div class="h-feed">${html}</div>`)).toMatchObject({
      externalId: 'https://walkers.example/walks/moss',
      title: 'Moss Walk',
      start: '2026-07-04T09:00:00-04:00',
      end: '2026-07-04T11:30:00-04:00',
      url: 'https://walkers.example/walks/moss',
      image: 'https://walkers.example/moss.jpg',
      description: 'Wear boots.',
      tags: ['nature'],
      venue: { name: 'Fern Gate', address: '18 Lichen Way, Mossford, 10988', latitude: 40.5, longitude: -73.5 },
    });
  });

  it('of the first generation (hCalendar) are read as well', async () => {
    const html = `<div class="vevent"><a class="url summary" href="/fair">Seed Fair</a>
      <abbr class="dtstart" title="2026-07-04">July 4</abbr> to <abbr class="dtend" title="2026-07-06">6</abbr>
      <span class="location vcard"><span class="fn org">Barn</span><span class="adr"><span class="street-address">1 Hay Road</span>,
      <span class="locality">Mossford</span></span><span class="geo"><span class="latitude">40.1</span>;<span class="longitude">-73.1</span></span></span>
      <p class="description">Bring jars.</p></div>`;
    expect(await only(html)).toMatchObject({
      title: 'Seed Fair',
      start: '2026-07-04',
      end: '2026-07-06',
      isAllDay: true,
      venue: { name: 'Barn', address: '1 Hay Road, Mossford', latitude: 40.1, longitude: -73.1 },
    });
  });

  it.each([
    [
      'a date and an hour apart',
      '<p class="dt-start"><time class="value" datetime="2026-07-04">4</time> <span class="value">8pm</span></p>',
      '2026-07-04T20:00:00',
    ],
    [
      'noon',
      '<p class="dt-start"><time class="value" datetime="2026-07-04">4</time> <span class="value">12:30pm</span></p>',
      '2026-07-04T12:30:00',
    ],
    ['words of the city’s language', '<span class="dt-start">Saturday, July 4, 2026 8:00 pm</span>', '2026-07-04T20:00:00'],
    ['a day', '<time class="dt-start" datetime="2026-07-04">4</time>', '2026-07-04'],
  ])('may say when by %s', async (_, said, start) => {
    expect((await only(walk(said))).start).toBe(start);
  });

  it('end after their duration', async () => {
    expect((await only(walk(START, '<time class="dt-duration" datetime="PT90M">90 minutes</time>'))).end).toBe(
      '2026-07-04T10:30:00-04:00',
    );
  });

  it.each([
    ['<span class="p-location">Fern Gate, 18 Lichen Way</span>', 'Fern Gate', '18 Lichen Way'],
    ['<span class="p-location h-adr"><span class="p-street-address">18 Lichen Way</span></span>', null, '18 Lichen Way'],
    ['<span class="p-location">Fern Gate</span>', 'Fern Gate', null],
  ])('part the place %j', async (said, name, address) => {
    const { venue } = await only(walk(START, said));
    expect([venue.name, venue.address]).toEqual([name, address]);
  });

  it('are found inside other things, each once', async () => {
    const html = `<div class="h-entry"><p class="p-name">Post</p>${walk(START)}${walk(START.replace('04T', '05T'))}</div>`;
    expect(eventsIn(await read(html)).map(({ externalId }) => externalId)).toEqual([
      `${HOME}@2026-07-04T09:00:00-04:00`,
      `${HOME}@2026-07-05T09:00:00-04:00`,
    ]);
  });

  it('without a start or a name are refused alone', async () => {
    const nameless = `<p class="h-event"><i class="p-category">x</i>${START}</p>`;
    expect(fates(await read(walk() + walk(START) + nameless))).toEqual(expect.arrayContaining(['start', 'listed']));
  });

  it('are none on a page without them, and in no document that is not a page', async () => {
    expect(await read('<h1>Nothing</h1>')).toEqual({ listings: [], next: [] });
    await expect(read('BEGIN:VCALENDAR')).rejects.toMatchObject({ code: 'not_of_the_kind' });
  });

  it('nested without end are refused', async () => {
    await expect(read(`${walk(START)}${'<div class="h-event">'.repeat(50_000)}`)).rejects.toMatchObject({
      name: 'ProviderError',
      code: 'too_large',
    });
  });
});

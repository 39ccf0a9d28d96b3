import { describe, expect, it } from 'vitest';
import { eventsOf, PAGE, read, reasonsOf, SHOW } from './pages.ts';

describe('events of one page', () => {
  it('are found wherever they stand', () => {
    const named = (name: string) => ({ ...SHOW, name, url: `/e/${name}` });
    const page = read(
      { '@graph': [{ '@type': 'WebSite', name: 'Harbour' }, named('in a graph')] },
      [named('in a list')],
      { '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', item: named('in a list of items') }] },
      { '@type': 'Place', name: 'Shed', event: [named('at a place')] },
      { '@type': 'http://schema.org/TheaterEvent', 'schema:name': 'prefixed', 'http://schema.org/startDate': '2026-07-04' },
      { type: 'DanceEvent', id: '/e/aliased', name: 'aliased', startDate: '2026-07-04' },
    );
    expect(eventsOf(page).map(({ title }) => title)).toEqual([
      'in a graph',
      'in a list',
      'in a list of items',
      'at a place',
      'prefixed',
      'aliased',
    ]);
    expect(reasonsOf(page)).toEqual([]);
  });

  it('are no broadcasts, articles or products', () => {
    const page = read(
      ...['BroadcastEvent', 'Article', 'Product', 'Eventually'].map((type) => ({ ...SHOW, '@type': type })),
      false,
      '"text"',
    );
    expect(page.listings).toEqual([]);
  });

  it('are listed as their parts and not as well', () => {
    const page = read({
      ...SHOW,
      '@type': 'Festival',
      name: 'Quay Week',
      url: '/week',
      endDate: '2026-07-06',
      location: 'Quay',
      organizer: 'Harbour Arts',
      eventStatus: 'EventPostponed',
      subEvent: [
        { '@type': 'Event', name: 'Opening', startDate: '2026-07-04T18:00:00-04:00' },
        { '@type': 'MusicEvent', name: 'Dance', startDate: '2026-07-05', location: 'Shed', url: '/dance' },
        { '@type': 'Event', startDate: '2026-07-06' },
        { '@type': 'Event', name: 'Closing', startDate: 'some day' },
      ],
    });
    expect(
      eventsOf(page).map(({ title, category, organizer, status, venue }) => [title, category, venue.name, organizer, status]),
    ).toEqual([
      ['Opening', 'festival', 'Quay', 'Harbour Arts', 'postponed'],
      ['Dance', 'concert', 'Shed', 'Harbour Arts', 'postponed'],
      ['Quay Week', 'festival', 'Quay', 'Harbour Arts', 'postponed'],
    ]);
    expect(eventsOf(page).map(({ externalId, seriesId }) => [externalId, seriesId])).toEqual([
      ['https://harbour.example/week@2026-07-04T18:00:00-04:00', 'https://harbour.example/week'],
      ['https://harbour.example/dance', null],
      ['https://harbour.example/week@2026-07-06', 'https://harbour.example/week'],
    ]);
    expect(reasonsOf(page)).toEqual(['start: wanted an ISO 8601 date, got "some day"']);
  });

  it('are listed whole when their parts have no dates', () => {
    const page = read({
      ...SHOW,
      subEvent: [
        { '@type': 'Event', name: 'First half' },
        { '@type': 'Event', name: 'Second half' },
      ],
    });
    expect(eventsOf(page).map(({ title }) => title)).toEqual(['Quay Songs']);
    expect(reasonsOf(page)).toEqual([]);
  });

  it('belong to the series that they name', () => {
    const page = read({
      '@graph': [
        {
          '@type': 'EventSeries',
          '@id': '#series',
          name: 'Tides',
          startDate: '2026-07-01',
          endDate: '2026-08-31',
          location: { '@id': '#shed' },
        },
        { '@type': 'Event', '@id': '#a', name: 'Tides I', startDate: '2026-07-04', superEvent: { '@id': '#series' } },
        {
          '@type': 'Event',
          '@id': '#b',
          name: 'Tides II',
          startDate: '2026-07-11',
          superEvent: { '@type': 'EventSeries', '@id': '#series' },
        },
        { '@type': 'Place', '@id': '#shed', name: 'Net Shed' },
      ],
    });
    expect(eventsOf(page).map(({ title, venue }) => [title, venue.name])).toEqual([
      ['Tides I', 'Net Shed'],
      ['Tides II', 'Net Shed'],
    ]);
    expect(reasonsOf(page)).toEqual([]);
  });

  it('know each other by @id across scripts, and circles end', () => {
    const page = read(
      { '@type': 'Place', name: 'Net Shed', '@id': '#shed', event: { '@id': '#show', '@type': 'Event', name: 'Quay Songs' } },
      { ...SHOW, '@id': '#show', location: { '@id': '#shed' }, performer: { '@id': '#ana' }, organizer: { '@id': '#nobody' } },
      { '@type': 'Person', '@id': '#ana', name: 'Ana Quill' },
      { ...SHOW, '@id': '#x', subEvent: { '@id': '#y' } },
      { ...SHOW, '@id': '#y', subEvent: { '@id': '#x' }, superEvent: { '@id': '#y' } },
    );
    expect(eventsOf(page)).toHaveLength(1);
    expect(eventsOf(page)[0]).toMatchObject({
      externalId: `${PAGE}#show`,
      performers: ['Ana Quill'],
      organizer: null,
      venue: { name: 'Net Shed' },
    });
  });

  it('are not taken for one another where a template gives all the same @id', () => {
    const of = (number: number) => ({
      ...SHOW,
      '@id': 'https://harbour.example/#event',
      url: `/e/${number}`,
      location: { '@type': 'Place', '@id': '#place', name: `Shed ${number}` },
    });
    expect(eventsOf(read([of(1), of(2)])).map(({ externalId, venue }) => [externalId, venue.externalId])).toEqual([
      ['https://harbour.example/e/1', null],
      ['https://harbour.example/e/2', null],
    ]);
  });

  it('keep their numbers when others are refused or said twice', () => {
    const page = read([
      { ...SHOW, url: '/a' },
      { ...SHOW, name: '' },
      { ...SHOW, url: '/a' },
      { ...SHOW, url: '/b' },
    ]);
    expect(page.listings.map(({ index, ok }) => [index, ok])).toEqual([
      [1, true],
      [2, false],
      [4, true],
    ]);
  });

  it('keep their ids in any order, and are told apart under one id', () => {
    const all = [
      { ...SHOW, url: '/nights', startDate: '2026-07-04T20:00:00-04:00' },
      { ...SHOW, url: '/nights', startDate: '2026-07-05T20:00:00-04:00' },
      { ...SHOW, url: '/nights', startDate: '2026-07-05T20:00:00-04:00', name: 'Another show' },
      { ...SHOW, url: '/nights', startDate: '2026-07-04T20:00:00-04:00', description: 'Said twice' },
      { ...SHOW, name: 'No address', startDate: '2026-07-04' },
      { ...SHOW, name: 'No address either', startDate: '2026-07-05' },
      { ...SHOW, url: `/${'x'.repeat(1500)}a` },
      { ...SHOW, url: `/${'x'.repeat(1500)}b` },
    ];
    const ids = (documents: object[]) => eventsOf(read(documents)).map(({ externalId }) => externalId ?? '');
    const first = ids(all);
    expect(new Set(first).size).toBe(7);
    expect(first.slice(0, 5)).toEqual([
      'https://harbour.example/nights@2026-07-04T20:00:00-04:00',
      'https://harbour.example/nights@2026-07-05T20:00:00-04:00 Quay Songs',
      'https://harbour.example/nights@2026-07-05T20:00:00-04:00 Another show',
      `${PAGE}@2026-07-04`,
      `${PAGE}@2026-07-05`,
    ]);
    expect(first.every((id) => id.length <= 500)).toBe(true);
    expect(ids(all.toReversed()).sort()).toEqual(first.sort());
    expect(eventsOf(read(all))[0]).toMatchObject({ description: 'Said twice' });
  });
});

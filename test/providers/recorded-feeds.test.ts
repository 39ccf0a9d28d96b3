import { beforeAll, describe, expect, it } from 'vitest';
import { compareTitles, FEEDS_DATA, type FeedCase, readCityFeeds, readFeedCases } from '../../quality/feeds.ts';

const MAX_MILLISECONDS = 2_000;

/** Where another reader gives other titles, and why ours stand. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'testcases/atom/must/entry_title_is_inline.xml': 'markup inside a title is kept as written, entities too',
  'testcases/atom/must/entry_title_is_inline_2.xml': 'markup inside a title is kept as written, entities too',
  'testcases/rss/must/rss10_item_in_channel.xml': 'an item inside the channel of RSS 1.0 is read as one of 2.0',
  'testcases/rss/must/rss91n_deprecated.xml': 'entities of HTML stay in texts, which are decoded later',
  'testcases/rss/must/rss91n_entity.xml': 'entities of HTML stay in texts, which are decoded later',
  'testcases/rss/must/rss91rab.xml': 'entities of HTML stay in texts, which are decoded later',
  'testcases/rss/must/rss91u_entity.xml': 'entities of HTML stay in texts, which are decoded later',
};

describe.skipIf(FEEDS_DATA.missing)('the cases of the W3C feed validator', () => {
  let cases: FeedCase[] = [];
  beforeAll(() => {
    cases = readFeedCases();
  });

  it('are read or refused with a reason, each in bounded time', () => {
    const counts = Object.fromEntries(
      [...Map.groupBy(cases, ({ refusal }) => refusal ?? 'read')].map(([name, all]) => [name, all.length]),
    );
    // Refused: 65 descriptions of OpenSearch, entries without a feed and unknown roots; entities.
    expect(counts).toEqual({ read: 1387, not_of_the_kind: 72, has_entities: 2 });
    expect(cases.filter(({ milliseconds }) => milliseconds > MAX_MILLISECONDS)).toEqual([]);
  });

  it('are events where they have a start, and posts otherwise', () => {
    const starts = cases.flatMap(({ path, starts }) => starts.map((start) => [path, start]));
    expect(starts).toEqual([
      ['testcases/ext/ev/future.xml', '2905-07-02T10:00:00'],
      ['testcases/rss/must/ev_startdate.xml', '2005-07-02T10:00:00'],
      ['testcases/rss/must/valid_ev_all.xml', '2005-07-02T10:00:00'],
    ]);
  });

  it('have the titles that another reader finds, and each difference is explained', () => {
    const differing = compareTitles().filter(({ ours, theirs }) => ours.join('\n') !== theirs.join('\n'));
    expect(differing.map(({ path }) => path)).toEqual(Object.keys(EXPLAINED));
  });
});

describe.skipIf(FEEDS_DATA.missing)('the feeds of cities', () => {
  it('give events where they say when, refuse posts, and are refused where they are no feeds', () => {
    expect(readCityFeeds()).toEqual({
      'EventsIasiCityCultura.1.xml': '0 events, 2 refused',
      'EventsIasiCityInOras.1.xml': '0 events, 3 refused',
      'EventsJenaCity.1.xml': 'not_of_the_kind',
      'EventsPaviaCity.1.xml': 'not_of_the_kind',
      'EventsPoitiersCity.1.xml': 'not_of_the_kind',
      'EventsPoitiersCity.2.xml': 'not_of_the_kind',
      'EventsPoitiersCityGrand.1.xml': '3 events, 0 refused',
      'EventsSalamancaCityTO.1.xml': '0 events, 3 refused',
    });
  });
});

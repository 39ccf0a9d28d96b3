import { describe, expect, it } from 'vitest';
import type { Neighborhood } from '../../src/records/index.ts';
import { createCityTime } from '../../src/values/city-time.ts';
import { distanceInCity } from '../../src/values/distance.ts';
import { createMoments } from '../../src/web/server/desk.ts';
import { pageOfSubject } from '../../src/web/server/desk-audit.ts';
import { markWords } from '../../src/web/server/desk-review.ts';
import { drawMap, formatDistance } from '../../src/web/server/draw-map.ts';
import { drawTimeline, formatTime } from '../../src/web/server/draw-timeline.ts';

const NEW_YORK = createCityTime('America/New_York');
const NOON = Date.parse('2026-06-16T16:00:00Z');
const moments = createMoments('America/New_York', NOON);

describe('the map', () => {
  const square = (name: string, west: number, south: number): Neighborhood => ({
    id: name,
    slug: name,
    name,
    description: null,
    latitude: south + 0.05,
    longitude: west + 0.05,
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [west + 0.1, south],
          [west + 0.1, south + 0.1],
          [west, south + 0.1],
          [west, south],
        ],
      ],
    },
  });
  const harbor = square('Harbor', -74, 40);
  const uptown = square('Uptown', -73.9, 40);
  const far = square('Far away', -70, 44);

  it('shows both places in their neighborhoods and says how far apart they are', () => {
    const drawn = drawMap(
      [harbor, uptown, far],
      [
        { letter: 'A', latitude: 40.05, longitude: -73.905 },
        { letter: 'B', latitude: 40.05, longitude: -73.895 },
      ],
    );
    expect(drawn?.says).toBe('A is in Harbor. B is in Uptown. They are 852 m apart.');
    expect(drawn?.areas.map(({ name }) => name)).toEqual(['Harbor', 'Uptown']);
    expect(drawn?.labels.map(({ text }) => text)).toEqual(['Harbor', 'Uptown']);
    const [a, b] = drawn?.marks ?? [];
    expect(a!.x).toBeLessThan(b!.x);
    expect(a!.y).toBe(b!.y);
  });

  it('shows of one place alone what lies around it, two kilometers away too', () => {
    const drawn = drawMap([harbor, uptown, far], [{ letter: 'A', latitude: 40.05, longitude: -73.92 }]);
    expect(drawn?.areas.map(({ name }) => name)).toEqual(['Harbor', 'Uptown']);
  });

  it('draws no point far outside of its frame, however large a neighborhood is', () => {
    const drawn = drawMap([harbor], [{ letter: 'A', latitude: 40.05, longitude: -73.95 }]);
    const numbers = drawn!.areas[0]!.path.match(/-?[\d.]+/g)!.map(Number);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(-6);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(426);
  });

  it('is none where nobody says a place, and speaks of one point as of one point', () => {
    expect(drawMap([harbor], [])).toBeNull();
    const place = { latitude: 41, longitude: -80 };
    const drawn = drawMap(
      [harbor],
      ['A', 'B'].map((letter) => ({ letter, ...place })),
    );
    expect(drawn?.says).toBe('A is in no neighborhood. B is in no neighborhood. They are at the same point.');
  });

  it('measures as a map does', () => {
    expect(distanceInCity({ latitude: 40, longitude: -74 }, { latitude: 41, longitude: -74 })).toBe(111_320);
    expect([formatDistance(140.4), formatDistance(2_340), formatDistance(12_900)]).toEqual(['140 m', '2.3 km', '13 km']);
  });
});

describe('the axis of time', () => {
  const at = (local: string) => NEW_YORK.resolve(local);
  const side = (letter: string, start: string, end: string | null) => ({
    letter,
    startsAt: at(start),
    endsAt: end === null ? null : at(end),
    precision: 'time' as const,
  });

  it('stands on the clocks of the city and says what it shows', () => {
    const drawn = drawTimeline(
      [side('A', '2026-06-16T20:00', '2026-06-16T22:30'), side('B', '2026-06-16T20:20', null)],
      NEW_YORK,
      moments,
    );
    expect(drawn.says).toBe(
      'A: Tue, Jun 16, 8:00 PM – 10:30 PM. B: Tue, Jun 16, 8:20 PM, end unknown. They start 20 minutes apart.',
    );
    expect(drawn.bars.map(({ kind }) => kind)).toEqual(['whole', 'open']);
    expect(drawn.bars[0]!.x).toBeLessThan(drawn.bars[1]!.x);
    expect(drawn.ticks.map(({ text }) => text)).toContain('9 PM');
    expect(drawn.ticks.length).toBeLessThan(8);
  });

  it('knows days without an hour, whole days and the night that ends tomorrow', () => {
    const day = { startsAt: at('2026-06-16T00:00'), endsAt: null };
    expect(formatTime({ ...day, precision: 'date' }, moments)).toBe('Tue, Jun 16, time unknown');
    expect(formatTime({ ...day, endsAt: at('2026-06-19T00:00'), precision: 'all_day' }, moments)).toBe(
      'Tue, Jun 16 – Thu, Jun 18, all day',
    );
    expect(formatTime(side('A', '2026-06-16T23:00', '2026-06-17T04:00'), moments)).toBe('Tue, Jun 16, 11:00 PM – 4:00 AM');
    expect(formatTime(side('A', '2026-06-16T10:00', '2026-06-18T18:00'), moments)).toBe(
      'Tue, Jun 16, 10:00 AM – Thu, Jun 18, 6:00 PM',
    );
    const drawn = drawTimeline(
      [{ letter: 'A', ...day, precision: 'date' }, side('B', '2026-06-16T20:00', null)],
      NEW_YORK,
      moments,
    );
    expect(drawn.bars.map(({ kind }) => kind)).toEqual(['vague', 'open']);
  });

  it('keeps its words short over months', () => {
    const drawn = drawTimeline(
      [side('A', '2026-06-16T20:00', null), side('B', '2026-12-16T20:00', '2027-03-01T20:00')],
      NEW_YORK,
      moments,
    );
    expect(drawn.ticks.length).toBeLessThan(9);
  });
});

describe('words', () => {
  it('are marked where the other listing lacks them, whatever their case', () => {
    expect(markWords('The Copper LANTERN', 'the iron lantern')).toEqual([
      { text: 'The ', marked: false },
      { text: 'Copper', marked: true },
      { text: ' LANTERN', marked: false },
    ]);
    expect(markWords('Sat, Nov 28, 8:20 PM', 'Sat, Nov 28, 8:00 PM').filter(({ marked }) => marked)).toEqual([
      { text: '8:20', marked: true },
    ]);
    expect(markWords('The Tin Whistle, Hall', 'the hall').map(({ text }) => text)).toEqual(['The ', 'Tin Whistle', ', Hall']);
    expect(markWords('', 'x')).toEqual([]);
  });

  it('of moments are the city’s', () => {
    expect(moments.format(NOON - 3_600_000)).toEqual({
      iso: '2026-06-16T15:00:00.000Z',
      text: 'Tue, Jun 16, 2026, 11:00 AM',
      away: '1 hour ago',
    });
    expect([moments.format(NOON).away, moments.format(NOON + 120_000).away]).toEqual(['now', 'in 2 minutes']);
  });

  it('of events without an hour are days, with the year and without a comma', () => {
    expect(moments.start(NOON, 'date').text).toBe('Tue, Jun 16, 2026');
    expect(moments.start(NOON, 'time').text).toBe('Tue, Jun 16, 2026, 12:00 PM');
    const midnight = Date.parse('2026-06-18T00:00:00-04:00');
    expect(moments.end(midnight, 'all_day').text).toBe('Wed, Jun 17, 2026');
    expect(moments.end(midnight, 'time').text).toBe('Thu, Jun 18, 2026, 12:00 AM');
  });

  it('of subjects lead to pages of ours only', () => {
    const subjectId = '0190a0b0-0000-7000-8000-000000000000';
    expect(pageOfSubject({ subject: 'source', subjectId })).toBe(`/desk/sources/${subjectId}`);
    expect(pageOfSubject({ subject: 'source', subjectId: '../../evil' })).toBeNull();
    expect(pageOfSubject({ subject: 'toString', subjectId })).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { nameWords } from '../../src/facts/identity/names.ts';
import { placeName } from '../../src/facts/index.ts';

const split = (name: string) => {
  const { house, room } = placeName(name);
  return room === null ? house : `${house} | ${room}`;
};

describe('the words of a name', () => {
  it.each([
    ['Baby’s All Right', "BABY'S ALL RIGHT"],
    ['BABYS ALL RIGHT', "Baby's All Right"],
    ['Café Balearica', 'Cafe Balearica'],
    ['S.O.B.’s', 'SOBs'],
    ['Fuel & Fuddle', 'Fuel and Fuddle'],
    ['Tin Theatre', 'The Tin Theater'],
    ['Saint Ann’s Church', 'St. Anns Church'],
    ['Old Street Deli', 'Old St Deli'],
    ['Engine House – Fifty', 'Engine House Fifty'],
    ['Fifth Avenue Hall', '5th Ave Hall'],
    ['Zone One', 'Zone 1'],
    ['Mill Centre', 'Mill Ctr'],
    ['Théâtre XIV', 'Theatre XIV'],
  ])('are the same in “%s” and “%s”', (one, other) => {
    expect(nameWords(one)).toEqual(nameWords(other));
  });

  it('tell a saint from a street', () => {
    expect(nameWords('St. James')[0]).toBe('saint');
    expect(nameWords('Church of St. Luke')).toContain('saint');
    expect(nameWords('Mill St')).toEqual(['mill', 'st']);
  });

  it('are kept when there are none but small ones', () => {
    expect(nameWords('The The')).toEqual(['the', 'the']);
    expect(nameWords('Theater A').at(-1)).toBe('a');
  });

  it('are found in any text, however long', () => {
    expect(nameWords('')).toEqual([]);
    expect(nameWords('x'.repeat(100_000)).join('').length).toBeLessThan(1_000);
    expect(nameWords('東京 ドーム')).toHaveLength(2);
  });
});

describe('a name taken apart', () => {
  it.each([
    ['Elsewhere – Zone One', 'elsewhere | zone 1'],
    ['Elsewhere (Rooftop)', 'elsewhere | rooftop'],
    ['New World Stages - Stage 3', 'new world stage | stage 3'],
    ['59E59 Theaters Theater A', '59e59 theater | theater a'],
    ['Ruins at Knockdown Center', 'knockdown center | ruin'],
    ['Mezzanine at X', 'x | mezzanine'],
    ['Play Area (in Al Quiñones Playground)', 'al quinone playground | play area'],
    ['Astoria Park Lawn (in Astoria Park)', 'astoria park | lawn'],
    ['Astoria Park Lawn', 'astoria park | lawn'],
    ['Central Park: Cop Cot', 'central park | cop cot'],
    ['Great Lawn, Central Park', 'central park | great lawn'],
    ['Brottier Hall - Duquesne University', 'duquesne univ | brottier hall'],
    ['Rugby, Meeting Room', 'rugby | meeting room'],
    ['Info Commons, Room 4', 'info common | room 4'],
    ['The Sultan Room Rooftop', 'sultan room | rooftop'],
    ['Union Square Greenmarket', 'union sq | greenmarket'],
    ['Lehman College Concert Hall', 'lehman college | concert hall'],
    ['Pelham Bay Park and Orchard Beach: Picnic Area', 'pelham bay park orchard beach | picnic area'],
  ])('%s is %s', (name, expected) => {
    expect(split(name)).toBe(expected);
  });

  it.each([
    ['Union Square Cafe', 'union sq cafe'],
    ['Sunset Park Library', 'sunset park lib'],
    ['Academy of Music', 'academy music'],
    ['Hope Garden of Life', 'hope garden life'],
    ['Studio 54', 'studio 54'],
    ['Marrow Market (MXM)', 'marrow mkt'],
    ['Bowne Park (in Bowne Park)', 'bowne park'],
  ])('%s has no room', (name, expected) => {
    expect(split(name)).toBe(expected);
  });

  it.each([
    ['Music Box Theatre-NY', 'music box theater'],
    ['Toyota Center - TX', 'toyota center'],
    ['Ambassador Theatre - New York', 'ambassador theater'],
    ['Barbès Brooklyn', 'barbe'],
    ['Superfine, Dumbo', 'superfine'],
    ['Broadhurst Theatre ', 'broadhurst theater'],
  ])('%s loses the area and blanks', (name, expected) => {
    expect(split(name)).toBe(expected);
  });

  it('keeps an area that is the beginning of a name', () => {
    expect(split('Brooklyn Steel')).toBe('brooklyn steel');
    expect(split('New York Hall')).toBe('new york hall');
  });

  it.each(['57th Street at Ninth Avenue', '9th Ave and 57th St.', 'Ninth Avenue / 57th Street, '.slice(0, -2)])(
    '%s is one corner',
    (name) => {
      expect(placeName(name)).toMatchObject({ kind: 'corner', house: '57th st / 9th av', room: null });
    },
  );

  it.each(['Brooklyn', 'NEW YORK', 'TBA', 'Virtual/Online Events', 'Various Locations', '', ' – '])('“%s” is nowhere', (name) => {
    expect(placeName(name)).toMatchObject({ kind: 'nowhere', house: '', room: null, words: [] });
  });
});

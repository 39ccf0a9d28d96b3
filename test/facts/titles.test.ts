import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { softenCase } from '../../src/facts/titles/soften-case.ts';
import { cleanTitle } from '../../src/facts/titles/title.ts';
import { cutOwnDay } from '../../src/facts/titles/title-words.ts';
import { plainText } from '../../src/providers/index.ts';
import { CONTEXT, normal } from './listing.ts';

const clean = (title: string, venueName: string | null = null) => cleanTitle(title, { city: CONTEXT.city, venueName });

describe('a title', () => {
  it.each<[string, string, string | null]>([
    ['CANCELED: Jazz', 'Jazz', 'cancelled'],
    ['CANCELLED - Jazz', 'Jazz', 'cancelled'],
    ['CANCELLED DUE TO RAIN: Movie in the Park', 'Movie in the Park', 'cancelled'],
    ['[Cancelled] Yoga', 'Yoga', 'cancelled'],
    ['Jazz - CANCELLED', 'Jazz', 'cancelled'],
    ['Event Canceled: Bingo', 'Bingo', 'cancelled'],
    ['**POSTPONED** Jazz', 'Jazz', 'postponed'],
    ['POSTPONED Jazz Night', 'Jazz Night', 'postponed'],
    ['SOLD OUT: A: The Tour', 'A: The Tour', 'sold_out'],
    ['Late Show (SOLD OUT!)', 'Late Show', 'sold_out'],
    ['Night (Rescheduled from 6/10/2026)', 'Night', 'rescheduled'],
    ['(RESCHEDULED) Night', 'Night', 'rescheduled'],
    ['ANNULÉ : Concert', 'Concert', 'cancelled'],
    ['CANCELED: SOLD OUT: Jazz', 'Jazz', 'cancelled'],
    ['Cancelled Culture: a comedy show', 'Cancelled Culture: a comedy show', null],
    ['Sold-Out Crowd', 'Sold-Out Crowd', null],
    ['A Dream Postponed', 'A Dream Postponed', null],
    ['CANCELLED', 'CANCELLED', 'cancelled'],
  ])('%j is %j, %s', (title, expected, status) => {
    expect(clean(title)).toMatchObject({ title: expected, status });
  });

  it('says the graver thing when the provider says another', () => {
    expect(normal({ title: 'SOLD OUT: Jazz', status: 'EventCancelled' })).toMatchObject({ status: 'cancelled' });
    expect(normal({ title: 'CANCELED: Jazz', status: 'scheduled' })).toMatchObject({ status: 'cancelled', title: 'Jazz' });
    expect(normal({ status: 'https://schema.org/EventPostponed' })).toMatchObject({ status: 'postponed' });
    expect(normal({ status: 'offsale' })).toMatchObject({ status: 'scheduled' });
  });

  it('that names another day than the listing is about a date that no longer holds', () => {
    expect(normal({ title: 'RESCHEDULED TO 6/27: Jazz' })).toMatchObject({ status: 'postponed', title: 'Jazz' });
    expect(normal({ title: 'RESCHEDULED TO 6/20/26: Jazz' })).toMatchObject({ status: 'rescheduled', title: 'Jazz' });
  });

  it.each<[string, string, string[]]>([
    ['Nebula Nights (21+)', 'Nebula Nights', ['21+']],
    ['Nebula Nights (18 and Over)', 'Nebula Nights', ['18+']],
    ['Nebula Nights - Ages: 21+', 'Nebula Nights', ['21+']],
    ['Nebula Nights (16+ Event)', 'Nebula Nights', ['16+']],
    ['Nebula Nights 21+', 'Nebula Nights', ['21+']],
    ['Nebula Nights | All Ages', 'Nebula Nights', ['all ages']],
    ['A New Musical (No Children Under 4)', 'A New Musical', ['4+']],
    ['Board Games for Ages 18+', 'Board Games for Ages 18+', []],
    ['Basketball Clinic (Ages: 5 to 7)', 'Basketball Clinic (Ages: 5 to 7)', []],
    ['Blink 182', 'Blink 182', []],
  ])('%j says who is let in: %j, %j', (title, expected, tags) => {
    expect(clean(title)).toMatchObject({ title: expected, tags });
  });

  it.each<[string, string]>([
    ['Hamlet - New York', 'Hamlet'],
    ['Hamlet (NY)', 'Hamlet'],
    ['The Kings (New York, NY)', 'The Kings'],
    ['Paella Party(NYC)', 'Paella Party'],
    ['Chicago - The Musical - New York', 'Chicago - The Musical'],
    ['Open Air New York City', 'Open Air New York City'],
    ['Hawks at New York Owls', 'Hawks at New York Owls'],
    ['Folkfest-NY: The Band', 'Folkfest-NY: The Band'],
    ['New York', 'New York'],
    ['Goose - 2 Day Pass', 'Goose'],
    ['2 Day Ticket - Goose Party', 'Goose Party'],
    ['House of Goal - Daytime General Admission', 'House of Goal'],
    ['Classic Movie Night:', 'Classic Movie Night'],
    ['||: Girls :||: Chance :||', '||: Girls :||: Chance :||'],
    ['P&#233;tanque &amp;amp; <i>wine</i>\u202e\u{e0041} ', 'Pétanque & wine'],
  ])('%j is %j', (title, expected) => {
    expect(clean(title).title).toBe(expected);
  });

  it('loses the venue only where it is the venue to the letter', () => {
    expect(clean('Bingo Night @ Alligator Lounge', 'ALLIGATOR LOUNGE').title).toBe('Bingo Night');
    expect(clean('Bingo Night - Alligator Lounge', 'Alligator Lounge').title).toBe('Bingo Night');
    expect(clean('Bingo Night @ Alligator', 'Alligator Lounge').title).toBe('Bingo Night @ Alligator');
    expect(clean('Yoga at Bryant Park', 'Bryant Park').title).toBe('Yoga at Bryant Park');
    expect(clean('Live @ Alligator Lounge', 'Alligator Lounge').title).toBe('Live @ Alligator Lounge');
  });

  it.each([
    ['6/19 Planting Friday', '2026-06-19T10:00', 'en-US', 'Planting Friday'],
    ['Kestrel Night 06/19', '2026-06-19T20:00', 'en-US', 'Kestrel Night'],
    ['Kestrel Night (6/19/26)', '2026-06-19T20:00', 'en-US', 'Kestrel Night'],
    ['Kestrel Night 19/06', '2026-06-19T20:00', 'fr-FR', 'Kestrel Night'],
    ['Kestrel Night 06/19', '2026-06-20T20:00', 'en-US', 'Kestrel Night 06/19'],
    ['Kestrel Night 6/19/25', '2026-06-19T20:00', 'en-US', 'Kestrel Night 6/19/25'],
    ['6/19', '2026-06-19T20:00', 'en-US', '6/19'],
  ])('%j of %s loses its own day, and no other (%s)', (title, start, locale, expected) => {
    expect(cutOwnDay(title, start, locale)).toBe(expected);
    expect(cutOwnDay(expected, start, locale)).toBe(expected);
  });

  it('that is too long ends at a word', () => {
    const { title, repairs } = clean('word '.repeat(100));
    expect([...title].length).toBeLessThanOrEqual(300);
    expect(title).toMatch(/word…$/);
    expect(repairs).toContain('text_cut');
  });

  it('once clean is not changed by cleaning it again', () => {
    const pieces = fc.constantFrom(
      ...[
        'CANCELED',
        'cancelled',
        'SOLD OUT',
        ':',
        ' - ',
        '–',
        '(21+)',
        '21+',
        '(NY)',
        'New York',
        '@',
        'Cellar',
        'JAZZ',
        'night',
        '|',
      ],
      ...[
        '[',
        ']',
        '(',
        ')',
        '*',
        '<b>',
        '</b>',
        '<',
        '&amp;',
        '&lt;',
        '&gt;',
        '&#233;',
        ' ',
        '  ',
        'ﬁ',
        'É',
        'ß',
        'I\u0307',
        '\u200b',
        'e\u0301',
      ],
      ...[
        '\u{e0041}',
        '2 Day Pass',
        'General Admission',
        'All Ages',
        'word '.repeat(60),
        '🎷',
        'X',
        'AC/DC',
        'THE',
        '!',
        '.',
        '“',
      ],
    );
    const titles = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
      fc.string({ unit: 'grapheme' }),
      fc.string(),
    );
    fc.assert(
      fc.property(titles, fc.constantFrom(null, 'Cellar'), (raw, venueName) => {
        const { title } = clean(raw, venueName);
        // What was encoded three times stays encoded once.
        fc.pre(plainText(title) === title);
        expect(clean(title, venueName)).toMatchObject({ title, repairs: [], tags: [] });
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a name in capitals', () => {
  it.each<[string, string]>([
    ['USA WATCH PARTY AT COMMON COUNTRY BAR', 'USA Watch Party at Common Country Bar'],
    ['JUNE: DJ KESTREL, AG, BASSBEAR!!', 'June: DJ Kestrel, AG, Bassbear!!'],
    ['SIMPLE PLAN / 3OH!3 / BOWLING FOR SOUP', 'Simple Plan / 3OH!3 / Bowling for Soup'],
    ['AC/DC TRIBUTE (A NIGHT OF R&B)', 'AC/DC Tribute (A Night of R&B)'],
    ["ROCKY II LIVE AT O'BRIEN'S", "Rocky II Live at O'Brien's"],
    ['PS 107 4TH GRADE FAIR', 'PS 107 4th Grade Fair'],
    ['PARTY (FREE W/ RSVP)', 'Party (Free w/ RSVP)'],
    ['JEAN-MICHEL MCDONALD', 'Jean-Michel McDonald'],
    ['MÁS SABE EL DIABLO', 'Más Sabe el Diablo'],
    ['KESTREL', 'KESTREL'],
    ['MGMT', 'MGMT'],
    ['AC/DC', 'AC/DC'],
    ['WADADA with Ayanna', 'WADADA with Ayanna'],
    ['MIKE Live', 'MIKE Live'],
  ])('%j is %j', (text, expected) => {
    expect(softenCase(text, 'en-US')).toBe(expected);
    expect(softenCase(expected, 'en-US')).toBe(expected);
  });

  it('follows the language of the city', () => {
    expect(softenCase('KIZILAY MEYDANI', 'tr-TR')).toBe('Kızılay Meydanı');
    expect(softenCase('KIZILAY MEYDANI', 'no locale at all')).toBe('Kizilay Meydani');
  });
});

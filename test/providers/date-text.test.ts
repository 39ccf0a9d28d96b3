import { describe, expect, it } from 'vitest';
import { createDateTextReader } from '../../src/providers/fields/date-text/date-text.ts';

/** A Friday. */
const TODAY = '2024-03-01';
const read = (locale: string, text: string, today: string | null = TODAY): string => {
  const found = createDateTextReader([locale])(text, today);
  if (!found.ok) return `refused: ${found.reason}`;
  return found.occurrences.map(({ start, end }) => (end === null ? start : `${start} to ${end}`)).join(' and ');
};

describe('a date in the words of a locale', () => {
  it.each<[locale: string, text: string, expected: string]>([
    ['en-US', 'Sat, Mar 16, 2024 7:00 PM', '2024-03-16T19:00:00'],
    ['en-US', 'Saturday, March 16 · 7 - 10pm EDT', '2024-03-16T19:00:00-04:00 to 2024-03-16T22:00:00-04:00'],
    ['en-US', 'MAR 15 AT 11:00 AM – MAR 16 AT 5:00 PM EDT', '2024-03-15T11:00:00-04:00 to 2024-03-16T17:00:00-04:00'],
    ['en-US', 'FRIDAY, APRIL 12, 2024 AT 9:00 PM – 6:00 AM EDT', '2024-04-12T21:00:00-04:00 to 2024-04-13T06:00:00-04:00'],
    ['en-US', 'Fri, Mar 22 at 9 PM EDT and 3 more', '2024-03-22T21:00:00-04:00'],
    ['en-US', 'July 3–7', '2024-07-03 to 2024-07-07'],
    ['en-US', 'July 3 – 7, 2026, 8pm', '2026-07-03T20:00:00 to 2026-07-07'],
    ['en-US', 'from July 3 to July 7, 2026', '2026-07-03 to 2026-07-07'],
    ['en-US', 'Dec 30 – Jan 2, 2027', '2026-12-30 to 2027-01-02'],
    ['en-US', 'Fri: 9pm-Sun: 2am', '2024-03-01T21:00:00 to 2024-03-03T02:00:00'],
    ['en-US', '10pm-2am, July 5', '2024-07-05T22:00:00 to 2024-07-06T02:00:00'],
    ['en-US', '11-2am July 5', '2024-07-05T23:00:00 to 2024-07-06T02:00:00'],
    ['en-US', '8pm – midnight, July 3', '2024-07-03T20:00:00 to 2024-07-04T00:00:00'],
    ['en-US', 'March 16, noon', '2024-03-16T12:00:00'],
    ['en-US', 'March 16, doors 7pm / show 8pm', '2024-03-16T20:00:00'],
    ['en-US', '7pm doors, 8pm show, March 16', '2024-03-16T20:00:00'],
    ['en-US', 'March 16, doors 7pm', '2024-03-16T19:00:00'],
    ['en-US', 'tomorrow at 8pm', '2024-03-02T20:00:00'],
    ['en-US', '03/04/2024', '2024-03-04'],
    ['en-US', 'Mar 16 at 8 PM ET', '2024-03-16T20:00:00-04:00'],
    ['en-GB', '03/04/2024', '2024-04-03'],
    ['en-GB', 'Sat 16th of March, 7.30pm', '2024-03-16T19:30:00'],
    ['en-GB', 'Sat–Sun 16–17 March 2024, 10am–6pm', '2024-03-16T10:00:00 to 2024-03-17T18:00:00'],
    ['fr-CA', 'sam. 16 mars 2024 17:00 - 19:30 EDT', '2024-03-16T17:00:00-04:00 to 2024-03-16T19:30:00-04:00'],
    ['fr-CA', 'Débute le sam., 16 mars 2024 19:00 UTC−4', '2024-03-16T19:00:00-04:00'],
    ['fr-CA', '5 juill. 2024 à 18 h 30', '2024-07-05T18:30:00'],
    ['fr-CA', 'ven. 3 mai 20 h 00 – sam. 4 mai 2 h 00 HAE', '2024-05-03T20:00:00-04:00 to 2024-05-04T02:00:00-04:00'],
    ['fr-CA', 'MAR 15 AT 11:00 AM – MAR 16 AT 5:00 PM EDT', '2024-03-15T11:00:00-04:00 to 2024-03-16T17:00:00-04:00'],
    ['fr-CA', '2024-03-16 20 h', '2024-03-16T20:00:00'],
    ['fr-CA', '16-03-2024 20:00', '2024-03-16T20:00:00'],
    ['fr-CA', 'TOMORROW AT 8:00 PM EDT', '2024-03-02T20:00:00-04:00'],
    ['fr-CA', 'SAMEDI 16 MARS 2024 DE 20:00 À 23:00 UTC-04', '2024-03-16T20:00:00-04:00 to 2024-03-16T23:00:00-04:00'],
    ['fr-FR', 'du 3 au 7 juillet', '2024-07-03 to 2024-07-07'],
    ['fr-FR', 'du 3 au 7 juillet de 10h à 18h', '2024-07-03T10:00:00 to 2024-07-07T18:00:00'],
    ['fr-FR', '3, 4 et 5 juillet à 20h', '2024-07-03T20:00:00 and 2024-07-04T20:00:00 and 2024-07-05T20:00:00'],
    ['fr-FR', 'mar. 5 mars, 20h30', '2024-03-05T20:30:00'],
    ['fr-FR', 'le 1er mai à midi', '2024-05-01T12:00:00'],
    ['fr-FR', '16 mars à minuit', '2024-03-16T00:00:00'],
    ['fr-FR', '03/04/2024', '2024-04-03'],
    ['fr-FR', 'Ouverture des portes 19h, concert 20h, samedi 16 mars', '2024-03-16T20:00:00'],
    ['fr-FR', 'demain à 20 h', '2024-03-02T20:00:00'],
    ['de-DE', '3.–7. Juli', '2024-07-03 to 2024-07-07'],
    ['de-DE', 'vom 3. bis 7. Juli, 20 Uhr', '2024-07-03T20:00:00 to 2024-07-07'],
    ['de-DE', 'Samstag, 16. März 2024, 20 Uhr', '2024-03-16T20:00:00'],
    ['de-DE', 'Sa 16.3. 20.30 Uhr', '2024-03-16T20:30:00'],
    ['de-DE', 'Einlass 19 Uhr, Beginn 20 Uhr, 16.03.2024', '2024-03-16T20:00:00'],
    ['de-DE', '16.03.24, 20:00–22:00 Uhr', '2024-03-16T20:00:00 to 2024-03-16T22:00:00'],
    ['de-DE', '16. März, Mitternacht', '2024-03-16T00:00:00'],
    ['de-DE', '16. März, mittags', '2024-03-16T12:00:00'],
    ['es-ES', 'sábado, 16 de marzo de 2024 a las 20:30', '2024-03-16T20:30:00'],
    ['es-ES', 'del 3 al 7 de julio de 10:00 a 18:00 h', '2024-07-03T10:00:00 to 2024-07-07T18:00:00'],
    ['es-ES', 'mar, 5 mar 2024', '2024-03-05'],
    ['es-ES', '16 de marzo, mediodía', '2024-03-16T12:00:00'],
    ['es-ES', '16 de marzo, 8 de la tarde', '2024-03-16T20:00:00'],
    ['it-IT', 'sabato 16 marzo dalle 19 alle 22', '2024-03-16T19:00:00 to 2024-03-16T22:00:00'],
    ['it-IT', 'dal 3 al 7 luglio, ore 21.30', '2024-07-03T21:30:00 to 2024-07-07'],
    ['it-IT', 'mar 5 mar 2024', '2024-03-05'],
    ['nl-NL', 'zaterdag 16 maart, 20.30 uur', '2024-03-16T20:30:00'],
    ['nl-NL', '3 t/m 7 juli 2024', '2024-07-03 to 2024-07-07'],
    ['nl-NL', 'za 16 mrt van 20 tot 23 uur', '2024-03-16T20:00:00 to 2024-03-16T23:00:00'],
    ['pt-BR', 'sábado, 16 de março de 2024 às 20h', '2024-03-16T20:00:00'],
    ['pt-BR', '16 e 17 de março, das 19h às 22h', TWO_NIGHTS()],
    ['pt-BR', 'seg., 18/03 às 19h30', '2024-03-18T19:30:00'],
    ['fi-FI', 'lauantaina 16. maaliskuuta klo 18', '2024-03-16T18:00:00'],
    ['fi-FI', 'la 16.3. klo 18.30–20', '2024-03-16T18:30:00 to 2024-03-16T20:00:00'],
    ['fi-FI', '16.–17.3.2024', '2024-03-16 to 2024-03-17'],
    ['ar', 'السبت ١٦ مارس ٢٠٢٤, 17:00', '2024-03-16T17:00:00'],
    ['sv-SE', 'lördag 16 mars kl. 19', '2024-03-16T19:00:00'],
    ['sv-SE', '16/3 kl 18–20', '2024-03-16T18:00:00 to 2024-03-16T20:00:00'],
  ])('%s: %s', (locale, text, expected) => {
    expect(read(locale, text)).toBe(expected);
  });

  it.each<[locale: string, text: string, reason: string]>([
    ['en-US', 'Monday, March 16, 2024', '2024-03-16 is not the weekday that it states'],
    ['en-US', 'February 30, 2024', 'the month 2 has no day 30'],
    ['en-US', 'February 29, 2023', 'the day 2-29 does not exist in 2023'],
    ['en-US', 'every Friday, 8pm', '"every" speaks of more than one date or of none'],
    ['en-US', 'March 16 at 8', '"8" may be in the morning or in the evening'],
    ['en-US', 'March 16, 25:00', '25:00 is no time of day'],
    ['en-US', 'March 17 – March 16, 2024', 'its end, 2024-03-16, is before its start, 2024-03-17'],
    ['en-US', '9pm', 'it has no date'],
    ['en-US', 'see the website', 'it has no date'],
    ['en-US', 'March 16 or March 17', '"or" speaks of more than one date or of none'],
    ['en-US', 'March 16 at the Blue Hall', '"blue" is not understood'],
    ['en-CA', '03/04/2024', '3/4 may be either day'],
    ['fr-CA', "jusqu'au 7 juillet", 'it says when it ends and not when it starts'],
    ['fr-FR', '03/16/2024', '16 is no month'],
    ['de-DE', 'jeden Samstag 20 Uhr', '"jeden" speaks of more than one date or of none'],
    ['de-DE', '16 Uhr bis 18 Uhr', 'it has no date'],
  ])('%s: %s is refused', (locale, text, reason) => {
    expect(read(locale, text)).toBe(`refused: ${reason}`);
  });

  it('has the nearest year in which the date is not over and has the weekday that is stated', () => {
    expect(read('en-US', 'March 1', '2024-03-01')).toBe('2024-03-01');
    expect(read('en-US', 'February 20', '2024-03-01')).toBe('2025-02-20');
    expect(read('en-US', 'February 20 – March 5', '2024-03-01')).toBe('2024-02-20 to 2024-03-05');
    expect(read('en-US', 'December 30 – January 2', '2024-03-01')).toBe('2024-12-30 to 2025-01-02');
    // February 20 was a Tuesday in 2024, and is a Thursday in 2025.
    expect(read('en-US', 'Tue, February 20', '2024-03-01')).toBe('2024-02-20');
    expect(read('en-US', 'Thu, February 20', '2024-03-01')).toBe('2025-02-20');
    expect(read('en-US', 'Mon, February 20', '2024-03-01')).toBe('refused: the day 2-20 is not the weekday that it states');
    expect(read('en-US', 'February 29', '2024-03-05')).toBe('2028-02-29');
    expect(read('en-US', 'March 16', null)).toBe('refused: it has no year, and the day on which it was read is unknown');
  });

  it('is read back on every day of two years, as CLDR writes it', () => {
    const wrong: string[] = [];
    for (const locale of LOCALES) {
      const reader = createDateTextReader([locale]);
      const styles = STYLES.map((style) => new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }));
      for (let day = FIRST_DAY; day < LAST_DAY; day += DAY_MS) {
        const wanted = new Date(day).toISOString().slice(0, 10);
        for (const style of styles) {
          const text = style.format(day);
          const found = reader(text, wanted);
          const start = found.ok ? found.occurrences[0]?.start.slice(0, 10) : found.reason;
          if (start !== wanted) wrong.push(`${locale} ${text}: ${start}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is refused when it is long, and takes no longer for a hostile text than for others', () => {
    expect(read('en-US', `March 16 ${'x'.repeat(300)}`)).toBe('refused: wanted at most 300 characters, got 309');
    for (const part of ['1-', '1/', '1 h ', 'at ', 'a las ', '(', '1.1.', 'de ', '12:', 'Mar ', '1 to ', 'p.m.']) {
      const text = part.repeat(300).slice(0, 300);
      for (const locale of LOCALES) expect(createDateTextReader([locale])(text, TODAY).ok || true).toBe(true);
    }
  });
});

function TWO_NIGHTS(): string {
  return [16, 17].map((day) => `2024-03-${day}T19:00:00 to 2024-03-${day}T22:00:00`).join(' and ');
}

const LOCALES = [
  'en-US',
  'en-GB',
  'en-CA',
  'fr-CA',
  'fr-FR',
  'de-DE',
  'es-ES',
  'it-IT',
  'nl-NL',
  'pt-BR',
  'fi-FI',
  'sv-SE',
  'da-DK',
  'pl-PL',
  'nb-NO',
];
const STYLES: readonly Intl.DateTimeFormatOptions[] = [
  { dateStyle: 'full' },
  { dateStyle: 'long' },
  { dateStyle: 'medium', timeStyle: 'short' },
  { dateStyle: 'short' },
  { weekday: 'short', day: 'numeric', month: 'short' },
  { dateStyle: 'long', timeStyle: 'short' },
];
const DAY_MS = 86_400_000;
const [FIRST_DAY, LAST_DAY] = [Date.UTC(2024, 0, 1, 19, 30), Date.UTC(2026, 0, 1)];

/** Hours of doors and of the show, as houses print them. */

import { describe, expect, it } from 'vitest';
import { createDateTextReader } from '../../src/providers/fields/date-text/date-text.ts';

const TODAY = '2026-06-16';
const read = (locale: string, text: string): string => {
  const found = createDateTextReader([locale])(text, TODAY);
  if (!found.ok) return `refused: ${found.reason}`;
  return found.occurrences.map(({ start, end }) => (end === null ? start : `${start} to ${end}`)).join(' and ');
};

/** The day is that of the evening. */
const AFTER_MIDNIGHT: readonly [locale: string, text: string][] = [
  ['en-US', 'June 27, 2026 Doors 11:30pm, Show midnight'],
  ['en-US', 'June 27, 2026 Doors 11pm / Show 12am'],
  ['de-DE', '27.06.2026 Einlass 23:00 Uhr, Beginn 0:00 Uhr'],
];

/** Words of each language: for doors, for the show, and how a day and an hour are written. */
const LANGUAGES: Readonly<
  Record<string, { doors: string[]; show: string[]; day: string; at: string; hours: [string, string][] }>
> = {
  'en-US': {
    doors: ['doors', 'Doors open', 'doors at', 'Gates', 'Door', 'DOORS:'],
    show: ['show', 'Show at', 'music', 'starts', 'Event starts', 'SHOW:', 'curtain'],
    day: 'Sat, June 27, 2026',
    at: 'at',
    hours: [
      ['7pm', '8pm'],
      ['7', '8pm'],
      ['7:00', '8:00 PM'],
      ['7PM', '8'],
      ['7 p.m.', '8:00'],
      ['7:00 PM', '8:00 PM'],
    ],
  },
  'de-DE': {
    doors: ['Einlass', 'Einlass ab', 'Türöffnung', 'Türen', 'Doors', 'Einlass:'],
    show: ['Beginn', 'Start', 'Beginn um', 'Konzertbeginn', 'Vorstellung', 'Show', 'Beginn:'],
    day: 'Sa, 27. Juni 2026',
    at: 'um',
    hours: [
      ['19 Uhr', '20 Uhr'],
      ['19', '20 Uhr'],
      ['19:00', '20:00'],
      ['19.00 Uhr', '20.00 Uhr'],
      ['19h', '20h'],
    ],
  },
  'fr-FR': {
    doors: ['portes', 'Ouverture des portes', 'ouverture des portes à', 'Ouverture de la salle', 'Portes :'],
    show: ['concert', 'spectacle', 'début', 'Début du concert', 'représentation', 'Concert :'],
    day: 'samedi 27 juin 2026',
    at: 'à',
    hours: [
      ['19h', '20h'],
      ['19h00', '20h00'],
      ['19 h', '20 h'],
      ['19:00', '20:00'],
    ],
  },
  'es-ES': {
    doors: ['puertas', 'apertura de puertas', 'Apertura', 'apertura puertas', 'Puertas:'],
    show: ['inicio', 'concierto', 'comienzo', 'Inicio del concierto', 'función', 'Inicio:'],
    day: 'sábado 27 de junio de 2026',
    at: 'a las',
    hours: [
      ['19:00', '20:00'],
      ['19 h', '20 h'],
      ['7 pm', '8 pm'],
    ],
  },
  'it-IT': {
    doors: ['porte', 'apertura porte', 'Apertura delle porte', 'ingresso', 'Apertura cancelli', 'Apertura porte:'],
    show: ['inizio', 'concerto', 'Inizio concerto', 'spettacolo', 'Inizio spettacolo', 'Inizio:'],
    day: 'sabato 27 giugno 2026',
    at: 'alle',
    hours: [
      ['19:00', '20:00'],
      ['ore 19', 'ore 20'],
    ],
  },
  'nl-NL': {
    doors: ['zaal open', 'deuren', 'Deuren open', 'deur open', 'Zaal open:'],
    show: ['aanvang', 'start', 'begin', 'concert', 'voorstelling', 'Aanvang:'],
    day: 'zaterdag 27 juni 2026',
    at: 'om',
    hours: [
      ['19.00 uur', '20.00 uur'],
      ['19:00', '20:00'],
      ['19u', '20u'],
    ],
  },
  'pt-PT': {
    doors: ['portas', 'abertura das portas', 'Abertura da casa', 'abertura dos portões', 'Portas:'],
    show: ['início', 'concerto', 'espetáculo', 'Show', 'começa', 'Início:'],
    day: 'sábado, 27 de junho de 2026',
    at: 'às',
    hours: [
      ['19h', '20h'],
      ['19h00', '20h00'],
      ['19:00', '20:00'],
    ],
  },
  'fi-FI': {
    doors: ['ovet', 'Ovet auki', 'ovet aukeavat', 'Ovet:'],
    show: ['showtime', 'konsertti', 'keikka', 'esitys', 'Showtime:'],
    day: 'la 27.6.2026',
    at: 'klo',
    hours: [
      ['klo 19', 'klo 20'],
      ['19:00', '20:00'],
    ],
  },
  'sv-SE': {
    doors: ['dörrarna öppnar', 'insläpp', 'Dörrar', 'dörröppning', 'Insläpp:'],
    show: ['start', 'konsert', 'börjar', 'konsertstart', 'på scen', 'Start:'],
    day: 'lördag 27 juni 2026',
    at: 'kl',
    hours: [
      ['kl 19', 'kl 20'],
      ['19:00', '20:00'],
    ],
  },
  'da-DK': {
    doors: ['dørene åbner', 'døre', 'Døråbning', 'Dørene:'],
    show: ['koncert', 'start', 'begynder', 'koncertstart', 'forestilling', 'Start:'],
    day: 'lørdag 27. juni 2026',
    at: 'kl.',
    hours: [
      ['kl. 19', 'kl. 20'],
      ['19:00', '20:00'],
    ],
  },
  'nb-NO': {
    doors: ['dørene åpner', 'dører', 'Døråpning', 'Dørene:'],
    show: ['konsert', 'start', 'begynner', 'konsertstart', 'forestilling', 'Start:'],
    day: 'lørdag 27. juni 2026',
    at: 'kl.',
    hours: [
      ['kl. 19', 'kl. 20'],
      ['19:00', '20:00'],
    ],
  },
  'pl-PL': {
    doors: ['otwarcie drzwi', 'bramy', 'Otwarcie bram', 'wejście', 'Drzwi:'],
    show: ['start', 'początek', 'koncert', 'rozpoczęcie', 'spektakl', 'Start:'],
    day: 'sobota 27 czerwca 2026',
    at: 'o',
    hours: [
      ['godz. 19:00', 'godz. 20:00'],
      ['19:00', '20:00'],
    ],
  },
};
const SIGNS = [', ', ' / ', ' | ', ' – ', ' · ', ' // ', '; '];
/** Where the day is, and in which order doors and show are. */
const FORMS: readonly ((day: string, doors: string, show: string, sign: string) => string)[] = [
  (day, doors, show, sign) => `${day}${sign}${doors}${sign}${show}`,
  (day, doors, show, sign) => `${day}, ${doors}${sign}${show}`,
  (day, doors, show, sign) => `${day}, ${show}${sign}${doors}`,
  (day, doors, show) => `${day}, ${show} (${doors})`,
  (day, doors, show) => `${day} (${doors}, ${show})`,
];

describe('the hour of the show', () => {
  it.each(Object.entries(LANGUAGES))(
    'counts before that of the doors, in every form of %s',
    (locale, { doors, show, day, hours }) => {
      const wrong: string[] = [];
      const pairs = doors.flatMap((opens) => show.flatMap((begins) => hours.map((each) => ({ opens, begins, each }))));
      for (const [index, { opens, begins, each }] of pairs.entries()) {
        for (const [at, form] of FORMS.entries()) {
          const sign = SIGNS[(index + at) % SIGNS.length] ?? ', ';
          const text = form(day, `${opens} ${each[0]}`, `${begins} ${each[1]}`, sign);
          const found = read(locale, text);
          if (found !== '2026-06-27T20:00:00') wrong.push(`${text}: ${found}`);
        }
      }
      expect(wrong.slice(0, 20)).toEqual([]);
    },
  );

  it.each(Object.entries(LANGUAGES))(
    'is that of the doors if %s says no other, or if no word says what it is',
    (locale, { doors, day, at, hours }) => {
      for (const opens of doors) {
        const [early, late] = hours[0] ?? ['', ''];
        expect(read(locale, `${day}, ${opens} ${early}`)).toBe('2026-06-27T19:00:00');
        const hour = late.startsWith(at) ? late : `${at} ${late}`;
        expect(read(locale, `${day} ${hour} (${opens} ${early})`)).toBe('2026-06-27T20:00:00');
      }
    },
  );

  it.each([
    ['Wed June 24 7pm doors / 8pm music', '2026-06-24T20:00:00'],
    ['June 27th, 2026 at 7:30 p.m. (doors open 6:45)', '2026-06-27T19:30:00'],
    ['June 27, 7 doors, 8pm show', '2026-06-27T20:00:00'],
    ['June 27, doors at 6:30, show at 8pm - 11pm', '2026-06-27T20:00:00 to 2026-06-27T23:00:00'],
    ['Doors 7 | Show 8pm | June 27 | 21+', '2026-06-27T20:00:00'],
    ['June 27, 8 pm sharp, doors 7 pm, $15', '2026-06-27T20:00:00'],
    ['Fri Jun 26 2026 8PM–2AM', '2026-06-26T20:00:00 to 2026-06-27T02:00:00'],
    ['06/28/2026 10:00am to 11:00am', '2026-06-28T10:00:00 to 2026-06-28T11:00:00'],
    ['June 25, 2026 @ 8:00 pm - 11:00 pm', '2026-06-25T20:00:00 to 2026-06-25T23:00:00'],
    ['June 27, noon–3', '2026-06-27T12:00:00 to 2026-06-27T15:00:00'],
    ['June 27, 10 – noon', '2026-06-27T10:00:00 to 2026-06-27T12:00:00'],
    ['June 27, 8-11pm', '2026-06-27T20:00:00 to 2026-06-27T23:00:00'],
    ['June 27, 8 – midnight', '2026-06-27T20:00:00 to 2026-06-28T00:00:00'],
    ['June 27, doors 7, show 8', 'refused: "8" may be in the morning or in the evening'],
    ['June 27, doors at 7', 'refused: "7" may be in the morning or in the evening'],
  ])('%s is %s', (text, expected) => {
    expect(read('en-US', text)).toBe(expected);
  });

  it('is no day, and a day beside such words is no hour', () => {
    expect(read('fr-FR', 'Concert 3 et 4 juillet à 20h')).toBe('2026-07-03T20:00:00 and 2026-07-04T20:00:00');
    expect(read('de-DE', 'Konzert 5. und 6. Juli, 20 Uhr')).toBe('2026-07-05T20:00:00 and 2026-07-06T20:00:00');
    expect(read('de-DE', 'Beginn 27.6. 20 Uhr')).toBe('2026-06-27T20:00:00');
  });
});

describe('dates in Norwegian and Polish', () => {
  it.each([
    ['nb-NO', 'lørdag 27. juni kl. 20', '2026-06-27T20:00:00'],
    ['nb-NO', 'fra 27. juni til 29. juni 2026', '2026-06-27 to 2026-06-29'],
    ['no', '27. juni kl. 19.30–21', '2026-06-27T19:30:00 to 2026-06-27T21:00:00'],
    ['nb-NO', 'hver lørdag kl. 20', 'refused: "hver" speaks of more than one date or of none'],
    ['pl-PL', 'sobota, 27 czerwca 2026 r., godz. 19:00', '2026-06-27T19:00:00'],
    ['pl-PL', 'od 27 do 29 czerwca 2026', '2026-06-27 to 2026-06-29'],
    ['pl-PL', '27 czerwca, od 18:00 do 20:00', '2026-06-27T18:00:00 to 2026-06-27T20:00:00'],
    ['pl-PL', '27.06.2026, godz. 19.30', '2026-06-27T19:30:00'],
    ['pl-PL', 'jutro o 20:00', '2026-06-17T20:00:00'],
    ['pl-PL', 'każdy piątek 20:00', 'refused: "kazdy" speaks of more than one date or of none'],
  ])('%s: %s', (locale, text, expected) => {
    expect(read(locale, text)).toBe(expected);
  });
});

describe('a show after midnight', () => {
  it.each(AFTER_MIDNIGHT)('begins the day after its doors: %s %s', (locale, text) => {
    expect(read(locale, text)).toBe('2026-06-28T00:00:00');
  });
  it('does not move an end', () => {
    expect(read('en-US', 'June 27, 2026 Doors 7pm, show 8pm - 2am')).toBe('2026-06-27T20:00:00 to 2026-06-28T02:00:00');
  });
});

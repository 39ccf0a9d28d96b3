import { expect, it } from 'vitest';
import { eventsIn, readPage } from '../support/fakes/provider.ts';

/** As calendars print them, read on a day of June 2026 by a mapping of which one line names the locale. */
const TEXTS: readonly (readonly [locale: string, text: string, expected: string])[] = [
  ['en-US', 'Fri, July 3 at 7:30pm', '2026-07-03T19:30:00'],
  ['en-US', 'Thursday June 25, 8 PM doors / 9 PM show', '2026-06-25T21:00:00'],
  ['en-US', 'Sat. 7/11, noon–4pm', '2026-07-11T12:00:00 to 2026-07-11T16:00:00'],
  ['en-GB', '11/07/2026 19:00 - 22:30', '2026-07-11T19:00:00 to 2026-07-11T22:30:00'],
  ['en-GB', 'Friday 3rd July, 7.30pm', '2026-07-03T19:30:00'],
  ['en-US', 'June 30 – July 2, 2026', '2026-06-30 to 2026-07-02'],
  ['en-US', 'January 15, 6:30-8:30 p.m.', '2027-01-15T18:30:00 to 2027-01-15T20:30:00'],
  ['de-DE', 'Fr., 3. Juli 2026, 20 Uhr', '2026-07-03T20:00:00'],
  ['de-DE', 'Samstag, den 4. Juli um 19:30 Uhr', '2026-07-04T19:30:00'],
  ['de-DE', '03.07.2026, 18.00–22.00 Uhr', '2026-07-03T18:00:00 to 2026-07-03T22:00:00'],
  ['de-DE', '3.–7. Juli 2026', '2026-07-03 to 2026-07-07'],
  ['de-AT', '15. Jänner, 19 Uhr', '2027-01-15T19:00:00'],
  ['de-DE', 'Einlass 19 Uhr, Beginn 20 Uhr, 9. Juli', '2026-07-09T20:00:00'],
  ['de-DE', 'Do 02.07. 20:15h', '2026-07-02T20:15:00'],
  ['de-CH', 'Mittwoch, 1. Juli 2026, 12.15 bis 13 Uhr', '2026-07-01T12:15:00 to 2026-07-01T13:00:00'],
  ['fr-FR', 'vendredi 3 juillet à 20h30', '2026-07-03T20:30:00'],
  ['fr-CA', 'Samedi 4 juillet 2026, de 14 h à 16 h 30', '2026-07-04T14:00:00 to 2026-07-04T16:30:00'],
  ['fr-FR', 'du 3 au 7 juillet', '2026-07-03 to 2026-07-07'],
  ['fr-FR', 'le 1er juillet 2026 - 19h', '2026-07-01T19:00:00'],
  ['fr-FR', 'du 30 juin au 2 juillet 2026', '2026-06-30 to 2026-07-02'],
  ['fr-FR', 'Jeu. 25 juin · 21h00 (ouverture des portes 20h00)', '2026-06-25T21:00:00'],
  ['fr-FR', 'dimanche 5 juillet, midi', '2026-07-05T12:00:00'],
  ['fr-FR', '14/07/2026 à 22h', '2026-07-14T22:00:00'],
  ['es-ES', 'viernes 3 de julio de 2026, 20:30 h', '2026-07-03T20:30:00'],
  ['es-MX', 'Sábado 4 de julio, 8:00 p.m.', '2026-07-04T20:00:00'],
  ['es-ES', 'del 3 al 7 de julio', '2026-07-03 to 2026-07-07'],
  ['es-ES', 'Jue, 25 jun · 21 h', '2026-06-25T21:00:00'],
  ['es-ES', '1 de julio a las 19 horas', '2026-07-01T19:00:00'],
  ['es-ES', 'Domingo 5 de julio de 12:00 a 14:00', '2026-07-05T12:00:00 to 2026-07-05T14:00:00'],
  ['it-IT', 'venerdì 3 luglio 2026, ore 21', '2026-07-03T21:00:00'],
  ['it-IT', 'Sabato 4 luglio - ore 20.30', '2026-07-04T20:30:00'],
  ['it-IT', 'dal 3 al 7 luglio 2026', '2026-07-03 to 2026-07-07'],
  ['it-IT', 'Gio 25 giu, 21:00', '2026-06-25T21:00:00'],
  ['it-IT', '1° luglio 2026, dalle 18 alle 20', '2026-07-01T18:00:00 to 2026-07-01T20:00:00'],
  ['it-IT', 'domenica 5 luglio a mezzogiorno', '2026-07-05T12:00:00'],
  ['nl-NL', 'vrijdag 3 juli 2026, 20.30 uur', '2026-07-03T20:30:00'],
  ['nl-NL', 'za 4 juli van 14:00 tot 17:00 uur', '2026-07-04T14:00:00 to 2026-07-04T17:00:00'],
  ['nl-NL', '3 t/m 7 juli 2026', '2026-07-03 to 2026-07-07'],
  ['nl-BE', 'do 25/06 om 20u30', '2026-06-25T20:30:00'],
  ['nl-NL', 'zondag 5 juli, aanvang 15 uur', '2026-07-05T15:00:00'],
  ['pt-BR', 'sexta-feira, 3 de julho de 2026, às 20h30', '2026-07-03T20:30:00'],
  ['pt-PT', 'Sábado, 4 de julho | 21h00', '2026-07-04T21:00:00'],
  ['pt-BR', 'de 3 a 7 de julho', '2026-07-03 to 2026-07-07'],
  ['pt-PT', 'qui 25 jun, 19:00 às 21:00', '2026-06-25T19:00:00 to 2026-06-25T21:00:00'],
  ['pt-BR', '1º de julho, das 18h às 20h', '2026-07-01T18:00:00 to 2026-07-01T20:00:00'],
  ['pt-BR', 'domingo, 5 de julho, meio-dia', '2026-07-05T12:00:00'],
  ['en-US', 'Wednesday, July 1st @ 6pm', '2026-07-01T18:00:00'],
  ['en-US', '7/3 8:00PM to 7/4 2:00AM', '2026-07-03T20:00:00 to 2026-07-04T02:00:00'],
  ['en-US', 'Sunday July 5th 2026 11:00AM ~ 3:00PM', '2026-07-05T11:00:00 to 2026-07-05T15:00:00'],
  ['en-US', 'Tue Jun 30 2026 7pm | Doors 6pm', '2026-06-30T19:00:00'],
  ['en-US', 'July 3, 10:30-8 p.m.', '2026-07-03T10:30:00 to 2026-07-03T20:00:00'],
  ['de-DE', 'Freitag | 03. Juli | 20:00 Uhr', '2026-07-03T20:00:00'],
  ['de-DE', 'Sa., 04.07.26 / 19 h', '2026-07-04T19:00:00'],
  ['de-DE', 'ab 20 Uhr, 3. Juli 2026', '2026-07-03T20:00:00'],
  ['de-DE', 'Sonntag 5. Juli, 11-17 Uhr', '2026-07-05T11:00:00 to 2026-07-05T17:00:00'],
  ['de-DE', '30. Juni bis 2. Juli 2026', '2026-06-30 to 2026-07-02'],
  ['fr-FR', 'Vendredi 3 juillet 2026 - 20:30', '2026-07-03T20:30:00'],
  ['fr-FR', 'le samedi 4 juillet de 14h à minuit', '2026-07-04T14:00:00 to 2026-07-05T00:00:00'],
  ['fr-CH', 'Jeudi 25 juin dès 18h', '2026-06-25T18:00:00'],
  ['fr-FR', 'Mer 01/07 19H30', '2026-07-01T19:30:00'],
  ['es-AR', 'Viernes 3/7, 21hs', '2026-07-03T21:00:00'],
  ['es-ES', 'sábado 4 de julio a las 8 de la tarde', '2026-07-04T20:00:00'],
  ['es-MX', '3 jul 2026 · 8:30 PM', '2026-07-03T20:30:00'],
  ['es-ES', 'Del 30 de junio al 2 de julio', '2026-06-30 to 2026-07-02'],
  ['it-IT', 'Ven. 3/7/2026 h 21.30', '2026-07-03T21:30:00'],
  ['it-IT', 'sabato 4 luglio, dalle ore 18:00 alle ore 23:00', '2026-07-04T18:00:00 to 2026-07-04T23:00:00'],
  ['it-IT', '30 giugno - 2 luglio 2026', '2026-06-30 to 2026-07-02'],
  ['it-IT', 'apertura porte ore 20, inizio ore 21, 9 luglio', '2026-07-09T21:00:00'],
  ['nl-NL', 'vr 3 jul ’26 - 21:00', '2026-07-03T21:00:00'],
  ['nl-NL', 'zaterdag 4 juli, deuren open 19:30, aanvang 20:30', '2026-07-04T20:30:00'],
  ['nl-NL', '30 juni tot en met 2 juli', '2026-06-30 to 2026-07-02'],
  ['nl-NL', 'wo 1 juli 14u', '2026-07-01T14:00:00'],
  ['pt-PT', '03/07/2026 - 21h30', '2026-07-03T21:30:00'],
  ['pt-BR', 'sábado (04/07), às 16h', '2026-07-04T16:00:00'],
  ['pt-BR', '30 de junho a 2 de julho de 2026', '2026-06-30 to 2026-07-02'],
  ['pt-PT', '25 de junho, pelas 21h', '2026-06-25T21:00:00'],
];

it('reads dates in words of seven languages by one line of the mapping', async () => {
  const read = await Promise.all(TEXTS.map(async ([locale, text]) => [locale, text, await firstOf(locale, text)]));
  expect(read).toEqual(TEXTS);
});

it('makes one event of each day that is listed', async () => {
  expect(await startsOf('es-ES', '4 y 5 de julio de 2026')).toEqual(['2026-07-04', '2026-07-05']);
  expect(await startsOf('fr-FR', '3 & 4 juillet')).toEqual(['2026-07-03', '2026-07-04']);
  expect(await startsOf('en-US', 'July 3, 6 pm and 8 pm')).toEqual(['2026-07-03T18:00:00', '2026-07-03T20:00:00']);
});

async function firstOf(locale: string, text: string): Promise<string> {
  const [{ start, end } = { start: 'nothing', end: null }, ...others] = await listed(locale, text);
  if (others.length > 0) return `${others.length + 1} events`;
  return end === null ? String(start) : `${start} to ${end}`;
}

const startsOf = async (locale: string, text: string): Promise<string[]> =>
  (await listed(locale, text)).map(({ start }) => String(start));

async function listed(locale: string, text: string) {
  const fields = { externalId: 'id', title: 'name', start: 'when', venue: { name: 'place' } };
  const record = { id: '1', name: 'Marrow', when: text, place: 'Old Mill' };
  return eventsIn(await readPage('json', [record], { mapping: { locale, fields } }));
}

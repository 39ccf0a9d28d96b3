/**
 * Lines of a description that say when, where and for how much, by their label: `Event date: September 21, 2026`, `Wann: 3. Juli, 20 Uhr`,
 * `Admission: $8`. For listings that say it nowhere else.
 */

import { plainText } from './clean-text.ts';

export interface LabeledLines {
  date: string | null;
  time: string | null;
  place: string | null;
  /** A price in words: with a number, or short. */
  price: string | null;
}

/** What a label is about; null for a word that is none. */
export function labelKind(label: string): keyof LabeledLines | null {
  return KINDS.get(label.trim().toLowerCase().replace(/\s+/g, ' ')) ?? null;
}

/** Of markup or plain text. A label counts at the beginning of a line, or behind another labeled value. */
export function readLabels(description: string): LabeledLines {
  const found: LabeledLines = { date: null, time: null, place: null, price: null };
  if (!description.includes(':')) return found;
  const lines = plainText(description.slice(0, MAX_CHARS)).split('\n').slice(0, MAX_LINES);
  for (const line of lines) {
    // In the middle of a sentence a word is no label.
    if (!BEGINS_WITH_LABEL.test(line)) continue;
    const marks = [...line.slice(0, MAX_LINE_CHARS).matchAll(LABEL)];
    if (marks[0]?.index !== 0) continue;
    for (const [index, mark] of marks.entries()) {
      const kind = labelKind(mark[1] ?? '');
      const value = line.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? MAX_LINE_CHARS).trim();
      if (kind !== null && value !== '' && (kind !== 'price' || isPrice(value))) found[kind] ??= value;
    }
  }
  return found;
}

/** `Tickets: https://…` and `Price: see our page, where you also find …` say nothing. */
function isPrice(value: string): boolean {
  return !value.includes('://') && (/\d/.test(value) ? value.length <= MAX_PRICE_CHARS : value.length <= MAX_WORD_CHARS);
}

/** In the languages in which dates are read. docs/providers.md speaks of them. */
const LABELS: Readonly<Record<keyof LabeledLines, readonly string[]>> = {
  date: [
    ...['event date', 'event dates', 'date', 'dates', 'when', 'date & time', 'date and time', 'date/time', 'event date & time'],
    ...['event date and time', 'wann', 'datum', 'termin', 'datum und uhrzeit', 'veranstaltungsdatum', 'datum & uhrzeit'],
    ...['quand', 'date et heure', "date de l'événement", 'date de l’événement', 'cuándo', 'fecha', 'fecha y hora', 'fechas'],
    ...['quando', 'data', 'data e ora', 'data e hora', 'wanneer', 'datum en tijd', 'milloin', 'päivämäärä', 'aika', 'när'],
    ...['datum och tid', 'hvornår', 'når', 'dato', 'dato og tid', 'kiedy', 'termin wydarzenia'],
  ],
  time: [
    ...['event time', 'event times', 'time', 'times', 'uhrzeit', 'zeit', 'beginn', 'heure', 'horaire', 'horaires', 'hora'],
    ...['horario', 'horário', 'ora', 'orario', 'tijd', 'aanvang', 'kello', 'kellonaika', 'tid', 'tidspunkt', 'godzina'],
  ],
  place: [
    ...['location', 'event location', 'where', 'venue', 'place', 'wo', 'ort', 'veranstaltungsort', 'lieu', 'où', 'lugar'],
    ...[
      'dónde',
      'luogo',
      'dove',
      'locatie',
      'waar',
      'local',
      'onde',
      'paikka',
      'missä',
      'plats',
      'var',
      'sted',
      'hvor',
      'miejsce',
    ],
  ],
  price: [
    ...[
      'cost',
      'costs',
      'price',
      'prices',
      'ticket price',
      'ticket prices',
      'tickets',
      'tickets at the door',
      'admission',
      'entry',
    ],
    ...['entry fee', 'fee', 'cover', 'cover charge', 'at the door', 'eintritt', 'eintrittspreis', 'preis', 'preise', 'kosten'],
    ...['abendkasse', 'tarif', 'tarifs', 'prix', 'entrée', 'precio', 'precios', 'entrada', 'entradas', 'prezzo', 'ingresso'],
    ...[
      'biglietti',
      'biglietto',
      'prijs',
      'toegang',
      'entree',
      'preço',
      'ingressos',
      'liput',
      'hinta',
      'pris',
      'inträde',
      'entré',
    ],
    ...['billetter', 'bilety', 'cena', 'wstęp'],
  ],
};
const KINDS: ReadonlyMap<string, keyof LabeledLines> = new Map(
  Object.entries(LABELS).flatMap(([kind, names]) =>
    names.map((name): [string, keyof LabeledLines] => [name, kind as keyof LabeledLines]),
  ),
);
const LABEL = new RegExp(
  `(?<![\\p{L}\\p{N}])(${[...KINDS.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(' ', '\\s'))
    .join('|')})\\s?:`,
  'giu',
);
const BEGINS_WITH_LABEL = /^[\p{L}&/’' ]{2,30}:/u;
const MAX_CHARS = 20_000;
const MAX_LINES = 60;
const MAX_PRICE_CHARS = 200;
const MAX_WORD_CHARS = 40;
const MAX_LINE_CHARS = 500;

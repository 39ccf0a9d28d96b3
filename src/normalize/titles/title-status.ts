/** What a title says about whether the event takes place: `CANCELED:`, `[Sold Out]`, `(Rescheduled from 6/10)`. */

import type { EventStatus } from '../../catalog/index.ts';

export interface TitleStatus {
  /** Without the mark; as given when nothing would be left. */
  title: string;
  status: EventStatus | null;
  /** `RESCHEDULED TO 6/27`: the day it was moved to. */
  movedTo: { month: number; day: number } | null;
}

/** Takes every mark out of a title; of several the gravest counts. */
export function takeStatus(title: string): TitleStatus {
  if (!ANY_MARK.test(title)) return { title, status: null, movedTo: null };
  let left = title;
  let status: EventStatus | null = null;
  let movedTo: TitleStatus['movedTo'] = null;
  for (let round = 0; round < MAX_MARKS; round++) {
    const found = PATTERNS.map(({ pattern, ...rest }) => ({ ...rest, match: pattern.exec(left) })).find(({ match }) => match);
    if (!found?.match) break;
    const [whole, detail = ''] = found.match;
    const rest = `${left.slice(0, found.match.index)} ${left.slice(found.match.index + whole.length)}`
      .replace(/\s+/g, ' ')
      .trim();
    status = gravest(status, found.status);
    movedTo ??= dayIn(detail);
    if (!/[\p{L}\p{N}]/u.test(rest)) break;
    left = rest;
  }
  return { title: left, status, movedTo };
}

/** The one that matters more to whoever wants to go. */
export function gravest(a: EventStatus | null, b: EventStatus | null): EventStatus | null {
  if (a === null || b === null) return a ?? b;
  return GRAVITY.indexOf(a) >= GRAVITY.indexOf(b) ? a : b;
}

function dayIn(detail: string): TitleStatus['movedTo'] {
  const [, month, day] = /^\s*(?:to|until|till|for)\s+(\d{1,2})[/.](\d{1,2})\b/i.exec(detail) ?? [];
  return month === undefined ? null : { month: Number(month), day: Number(day) };
}

/** Where a mark stands so that it is one: `Sold Out Crowd` and `Cancelled Culture` have none. */
function patternsOf(status: EventStatus, words: string): { status: EventStatus; pattern: RegExp }[] {
  const mark = `(?:(?:this )?(?:event|show|concert) (?:is )?(?:has been )?)?(?:${words})`;
  const detail = '((?:\\s(?:to|from|until|till|for|due to|because of)\\b[^:()\\[\\]|–—]{0,60}?)?)';
  const sources = [
    // In brackets, anywhere.
    `[(\\[{*]+\\s*${mark}${detail}\\s*[!.]*\\s*[)\\]}*]+\\s*(?::|[-–—|]+(?=\\s))?`,
    // All there is.
    `^\\s*${mark}${detail}\\s*[!.]*\\s*$`,
    // Before a sign, at the beginning.
    `^[\\s!*"“]*${mark}${detail}\\s*[!*"”]*\\s*(?::|\\s[-–—|~•]+|[-–—|~•]+\\s|!+\\s)\\s*`,
    // After a sign, at the end.
    `(?:\\s[-–—|~•]+|[-–—|~•]+\\s|[:!]\\s)\\s*${mark}${detail}\\s*[!.*]*$`,
  ];
  const shouted = `(?:${words.toUpperCase()})`;
  return [
    ...sources.map((source) => ({ status, pattern: new RegExp(source, 'iu') })),
    // In capitals beside a title that has small letters.
    { status, pattern: new RegExp(`^${shouted}()\\s+(?=\\p{Lu}.*\\p{Ll})`, 'u') },
    { status, pattern: new RegExp(`(?<=\\p{Ll}.*)\\s+${shouted}()[!.*]*$`, 'u') },
  ];
}

/** By how much they matter, least first. */
const GRAVITY: readonly EventStatus[] = ['scheduled', 'sold_out', 'rescheduled', 'postponed', 'cancelled'];

/** English, French, German, Dutch, Spanish, Italian, Portuguese, Finnish, Swedish. */
const MARKS: readonly (readonly [EventStatus, string])[] = [
  [
    'cancelled',
    'cancell?ed|cancell?ation|annulée?s?|abgesagt|entfällt|geannuleerd|afgelast|cancelado|cancelada|annullato|peruttu|inställt',
  ],
  ['postponed', 'postponed|reportée?s?|verschoben|uitgesteld|aplazado|aplazada|rinviato|siirretty|lykätty|uppskjutet|adiado'],
  ['rescheduled', 're-?scheduled|new date|nouvelle date|neuer termin|nieuwe datum|nueva fecha|uusi päivä|nytt datum'],
  [
    'sold_out',
    'sold[- ]?out|complet|ausverkauft|uitverkocht|guichets fermés|agotado|agotadas|esgotado|esaurito|loppuunmyyty|slutsålt|utsålt',
  ],
];
const PATTERNS = MARKS.flatMap(([status, words]) => patternsOf(status, words));
/** Most titles have none, and are not asked for each. */
const ANY_MARK = new RegExp(MARKS.map(([, words]) => words).join('|'), 'iu');
const MAX_MARKS = 8;

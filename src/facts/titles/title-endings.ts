/** What providers write behind a title that is no part of it: who is let in, in which city, by which ticket, at which venue. */

import type { CityFacts, RepairCode } from '../model.ts';
import { folded } from '../text.ts';

/** What stays of a title when its ending is cut, and what the ending said. */
export interface Ending {
  title: string;
  repairs: RepairCode;
  /** What the ending says as a tag. */
  tag: string | null;
  /** What kind of ticket it says is sold. */
  ticket?: TicketKind | null;
}

export interface TitlePlace {
  city: CityFacts;
  venueName: string | null;
}

/** The first ending found, or null. What would be left must say something. */
export function cutEnding(title: string, place: TitlePlace): Ending | null {
  return cutAge(title) ?? cutTicket(title) ?? cutCity(title, place.city) ?? cutVenue(title, place.venueName);
}

/** `(21+)`, `(18 and Over)`, `- Ages: 21+`, `| All Ages`, `21+`; not `Board Games for Ages 18+`, nor `(Ages 5 to 7)`, which tells two classes apart. */
function cutAge(title: string): Ending | null {
  if (!/\d|ages/i.test(title)) return null;
  for (const pattern of AGES) {
    const match = pattern.exec(title);
    if (!match || !says(title.slice(0, match.index))) continue;
    const [, age = 'all ages'] = match;
    const tag = /^\d/.test(age) ? `${age}+` : age || null;
    return { title: title.slice(0, match.index), repairs: 'age_from_title', tag };
  }
  return null;
}

function cutTicket(title: string): Ending | null {
  const found = cutTicketKind(title);
  return found && { title: found.title, repairs: 'ticket_kind_cut', tag: null, ticket: found.ticket };
}

/** `Hamilton - New York`, `Hamilton (NY)`; `Open Air New York City` stays. */
function cutCity(title: string, city: CityFacts): Ending | null {
  const match = /(?:\s[-–—|]\s*|[-–—|]\s+)([^-–—|()[\]]{2,40})$/u.exec(title) ?? /\s*[([]([^()[\]]{2,40})[)\]]$/u.exec(title);
  if (!match || !says(title.slice(0, match.index)) || !isCity(match[1] ?? '', city)) return null;
  return { title: title.slice(0, match.index), repairs: 'city_cut', tag: null };
}

/** `Bingo @ Alligator Lounge`, when that is the venue to the letter. */
function cutVenue(title: string, venueName: string | null): Ending | null {
  const name = venueName === null ? '' : folded(venueName);
  if (name.length < MIN_VENUE_CHARS) return null;
  const match = /(?:\s+@\s*|\s[-–—|]\s)([^@|]+)$/u.exec(title);
  if (!match || folded(match[1] ?? '') !== name) return null;
  const left = folded(title.slice(0, match.index));
  if (left.length < MIN_TITLE_CHARS || GENERIC.has(left)) return null;
  return { title: title.slice(0, match.index), repairs: 'venue_cut', tag: null };
}

/** Whether words name the city: as it is called, with its state, or as people there call it. */
export function isCity(words: string, city: Pick<CityFacts, 'name'>): boolean {
  const name = folded(city.name);
  if (name === '') return false;
  const said = folded(words);
  const also = CITY_NAMES[name] ?? [];
  return [name, `${name} city`, ...also].some(
    (known) => said === known || (said.startsWith(`${known} `) && STATE.test(said.slice(known.length + 1))),
  );
}

const says = (text: string): boolean => (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 2;

const YEARS = '(\\d{1,2})';
const AGE = `(?:ages?:?\\s*)?(?:${YEARS}\\s*(?:\\+|(?:and|&)\\s*(?:over|up|older)|yrs?\\+|years (?:and|&) (?:over|up|older))|all[- ]ages)(?:\\s+(?:event|show|only|welcome))?`;
const AGES: readonly RegExp[] = [
  new RegExp(`\\s*[(\\[]\\s*${AGE}\\s*[)\\]]\\s*$`, 'iu'),
  new RegExp(`(?:\\s[-–—|•]+\\s*|[,|•]\\s*)${AGE}\\s*$`, 'iu'),
  /(?<!\b(?:ages?|aged|adults?|for|to|from|under|over|kids|teens|seniors|women|men|and|[-–—&:]))\s+(18|19|21)\+$/iu,
  /\s*[([]\s*no (?:children|kids|one|guests) under\s*(?:the age of\s*)?(\d{1,2})\s*[)\]]\s*$/iu,
  /\s*[([]\s*under \d{1,2} with (?:an )?(?:adult|parent|guardian)\s*[)\]]()\s*$/iu,
  /\s*[([](?=[^()[\]]*(?:photo id|accompanied by))[^()[\]]*?must be (\d{1,2})\+?[^()[\]]*[)\]]\s*$/iu,
];

const STATE = /^[a-z]{2}(?: usa)?$/;
/** By the city's own name, folded: what else it is called in titles. */
const CITY_NAMES: Readonly<Record<string, readonly string[]>> = {
  __proto__: null as never,
  'new york': ['nyc', 'ny', 'n y c'],
  'new york city': ['new york', 'nyc', 'ny'],
  'los angeles': ['la', 'l a'],
  'san francisco': ['sf', 's f', 'san fran'],
  'washington dc': ['washington', 'dc', 'd c', 'washington d c'],
  washington: ['washington dc', 'dc', 'washington d c'],
  philadelphia: ['philly', 'phl'],
  'new orleans': ['nola'],
  austin: ['atx'],
  atlanta: ['atl'],
};
/** Too little to be a title once the venue is cut off. */
const GENERIC = new Set(
  'live,show,event,concert,music,party,tonight,opening,comedy,private,closed,the,tour,tours,night'.split(','),
);
const MIN_VENUE_CHARS = 4;
const MIN_TITLE_CHARS = 4;

/** `part`: a lottery or a package, a listing of its event. `pass`: for several days, a listing of none of them. */
export type TicketKind = 'part' | 'pass';

export interface TicketTitle {
  /** Of the event. */
  title: string;
  ticket: TicketKind | null;
}

/** Null if the title names no ticket, or nothing else. */
function cutTicketKind(title: string): TicketTitle | null {
  if (!ANY_TICKET.test(title)) return null;
  for (const { pattern, ticket } of TICKETS) {
    const match = pattern.exec(title);
    if (!match) continue;
    const left = `${title.slice(0, match.index)}${title.slice(match.index + match[0].length)}`;
    if ((left.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 2) return { title: left, ticket };
  }
  return null;
}

const LOTTERY =
  '(?:(?:standard|senior|ada|accessible|digital|general|in[- ]person|online|mobile|ticket|rush|\\d+\\+|[/&])[\\s/]*)+lottery';
const UPGRADE = '(?:vip|meet (?:and|&) greet|early entry|fast lane|club) (?:upgrade|package|experience|access only)s?';

const TICKETS: readonly { pattern: RegExp; ticket: TicketKind | null }[] = [
  { pattern: new RegExp(`^${LOTTERY}\\s*[-–—:|]\\s*`, 'iu'), ticket: 'part' },
  { pattern: new RegExp(`\\s*[-–—:|([]\\s*${LOTTERY}\\s*[)\\]]?\\s*$`, 'iu'), ticket: 'part' },
  { pattern: /^(?:rush tickets|student rush|lottery (?:entry|tickets?))\s*[-–—:|]\s*/iu, ticket: 'part' },
  { pattern: /\s*\*\s*premium (?:seating|seats?)\s*\*\s*$|\s*[-–—|(]\s*premium seating\s*\)?\s*$/iu, ticket: 'part' },
  {
    pattern: /^pinstripe pass\s*[-–—:*|]\s*|^(?:\p{L}+ ){0,2}(?:hospitality|vip) (?:pass|package)s?\s*[-–—:*|]\s*/iu,
    ticket: 'part',
  },
  { pattern: new RegExp(`\\s*[-–—:|(]\\s*${UPGRADE}\\s*\\)?\\s*$|^${UPGRADE}\\s*[-–—:|]\\s*`, 'iu'), ticket: 'part' },
  { pattern: /^\s*(?:\d|two|three|four)[- ]?day (?:pass|ticket)s?\s*[-–—:|]\s*/iu, ticket: 'pass' },
  {
    pattern:
      /\s*(?:[-–—:|]\s*|[([]\s*)(?:(?:\d|two|three|four)[- ]?days?|(?:full )?weekend) (?:pass|ticket)(?:es|s)?\s*[)\]]?\s*$/iu,
    ticket: 'pass',
  },
  {
    pattern:
      /\s*(?:[-–—:|]\s*|[([]\s*)(?:(?:single|full)[- ]?(?:days?|weekend)? (?:pass|ticket)(?:es|s)?|(?:\p{L}+ )?general admission|GA)\s*[)\]]?\s*$/iu,
    ticket: null,
  },
];
const ANY_TICKET =
  /pass|ticket|admission|\bGA\b|weekend|lottery|rush|premium|vip|hospitality|upgrade|package|entry|experience|access/i;

/** The words of titles, by how much they tell: tables for `event-title`. All in the spelling of `names`. */

import { nameWords } from './names.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).flatMap(nameWords));

/** Said by many titles: sharing one proves little, lacking one proves nothing. */
export const GENERIC_WORDS = wordsOf(
  `show live concert music musical party night day evening afternoon morning event festival fest class workshop tour series session free
   new special annual edition experience performance performing dance comedy jazz yoga karaoke trivia bingo market greenmarket farmstand stand farm
   game match celebration community open mic jam band trio quartet quintet orchestra ensemble dj set film movie screening talk walk meeting
   art kid teen family story storytime time reading book group summer winter spring fall weekly monthly happy hour brunch dinner play theatre
   opera ballet ticket entry guest friend club fitness program world tonight official production original broadway off york version parody
   monday tuesday wednesday thursday friday saturday sunday weekend my your our we is it all that this from up out`,
);

/** Of the names of nights, festivals and series; an act is hardly ever called so alone. */
export const OCCASION_WORDS = wordsOf(
  `party parrty pride fest festival juneteenth night day weekend celebration anniversary year after afterhours afterparty brunch series session
   rave disco takeover showcase residency jam karaoke cruise boat yacht edition solstice midsummer cup watch halloween carnival benefit tribute
   concert gala ball open air hour rooftop sunset sunrise summer winter spring fall comedy standup jazz burlesque drag bingo trivia market
   gathering experience skate week club people movie film musical opera ballet play show presents fiesta noche nacht nuit fete`,
);

/** What is played, not by whom. */
export const GENRE_WORDS = wordsOf(
  `house techno afrobeats afrobeat amapiano afro reggaeton hip hop rap r b rnb soul funk rock punk metal emo indie pop country folk blues salsa
   bachata merengue cumbia latin dancehall reggae soca caribbean trance dubstep bass drum dnb garage disco electronic edm ambient gospel
   classical chamber swing bebop bollywood kpop k 70 80 90 00 y2k throwback hit old school new wave goth industrial`,
);

/** Behind the name of who leads: the same act with or without them. */
export const ENSEMBLE_WORDS = wordsOf('band trio quartet quintet sextet septet octet duo ensemble group live dj set experience');

/** Before `'s`, these name nobody: `Brooklyn Women's Choir`, `Ida Lark's Birthday`. */
export const GROUPS = wordsOf(
  'women men ladies gentlemen children people girl boy senior farmer artist writer player member veteran worker mother father saint birthday',
);

/** Before these words stands who presents, after them what is presented. */
export const PRESENTS = /\s(?:presents?|pres\.?|proudly presents)\b:?\s*/;

/** After these words stand the ones who come along. */
export const SUPPORT = /\s(?:with|w\/|feat\.?|ft\.?|featuring|starring|hosted by|b2b)\s/;

/** Between the two sides of a game; who plays at whose place is told in either order. */
export const VERSUS = /\s(?:v|vs|versus)\.?\s/g;

/** Signs between the parts of a title. */
export const PART_SIGNS = /\s+[-–—|*•~/]+\s+|:\s+|\s*\|\s*|^[-–—|*•~/\s]+|\s[-–—|*•~/]+$/;

/** A part that only says which kind of ticket is sold: the event behind it is one. */
export const TICKET_KIND =
  /\b(?:premium seat(?:ing|s)?|pinstripe pass|vip (?:\w+ )*(?:package|experience|upgrade|add[ -]?on)|add[ -]?on|upgrade|not a (?:\w+ )?ticket|(?:\w+ )*lotter(?:y|ies)|rush tickets?|suite hospitality|parking(?: pass)?|meet and greet|ticket packages?|general admission|standing room(?: only)?)\b/;

/** A ticket for several days is no listing of one of them. */
export const SPANS_DAYS =
  /\b(?:(?:\d|two|three|four|five)[ -]?days? (?:pass|ticket|package)|all weekend|weekend (?:pass|ticket)|season (?:pass|ticket))\b/;

/** Words that tell two sessions of one thing apart, by what they tell. */
export const SESSION_WORDS: readonly { mark: string; words: Readonly<Record<string, string>> }[] = [
  { mark: 'the slot', words: { early: 'early', late: 'late', matinee: 'early', earlier: 'early', later: 'late' } },
  {
    mark: 'the level',
    words: { beginner: 'beginner', beginners: 'beginner', intermediate: 'intermediate', advanced: 'advanced', intro: 'beginner' },
  },
  {
    mark: 'the audience',
    words: {
      kids: 'children',
      children: 'children',
      toddlers: 'toddlers',
      toddler: 'toddlers',
      babies: 'toddlers',
      baby: 'toddlers',
      teens: 'teens',
      teen: 'teens',
      tweens: 'teens',
      adults: 'adults',
      adult: 'adults',
      seniors: 'seniors',
      senior: 'seniors',
    },
  },
  {
    mark: 'the weekday',
    words: Object.fromEntries(
      ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].flatMap((day) => [
        [day, day],
        [`${day}s`, day],
      ]),
    ),
  },
];

/** A numbered part of a series: `Part 2`, `Vol. III`, `#4`, `Session 1`, `Night Two`. */
export const NUMBERED_PART =
  /\b(part|pt|vol|volume|chapter|episode|ep|act|session|round|night|day|week|level|edition|no|set|show|game|match)\.?\s*#?\s*(\d{1,4}|[ivx]{1,5}|one|two|three|four|five|six)\b|(#)\s*(\d{1,4})\b/g;

/** The same, the other way round: `2nd set`, `second seating`. */
export const ORDINAL_PART =
  /\b(1st|2nd|3rd|4th|first|second|third|fourth)\s+(set|show|seating|night|session|act|round|performance)\b/g;

export const NUMBER_WORDS: Readonly<Record<string, string>> = {
  i: '1',
  ii: '2',
  iii: '3',
  iv: '4',
  v: '5',
  vi: '6',
  vii: '7',
  viii: '8',
  ix: '9',
  x: '10',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  '1st': '1',
  '2nd': '2',
  '3rd': '3',
  '4th': '4',
  first: '1',
  second: '2',
  third: '3',
  fourth: '4',
};

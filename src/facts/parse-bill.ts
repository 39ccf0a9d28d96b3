/** The words of a title as a bill. */

import { createMemory } from '../values/memory.ts';

export type ActRole = 'headliner' | 'support' | 'member' | 'presenter';

export interface BillAct {
  name: string;
  role: ActRole;
  /** Signs of a line-up name it, and no other reading is likely. The others are readings that only a second title can confirm. */
  isCertain: boolean;
  /** The first of its list, or the whole of it. */
  isLead: boolean;
}

export interface Bill {
  /** In the order of the title, each name once. */
  acts: readonly BillAct[];
  /** Names of a party, a series or a festival. */
  parties: readonly string[];
  presenter: string | null;
  tour: string | null;
}

/**
 * Never throws; linear in the length, which is cut. `venueName`: a title may end with it. Remembered for a while: normalizing and identity
 * ask about the same titles, and a series repeats its own.
 */
export function parseBill(title: string, venueName = ''): Bill {
  const [text, place] = [title.slice(0, MAX_TITLE_CHARS), venueName.slice(0, MAX_TITLE_CHARS)];
  return bills(`${text}\0${place}`, () => readBill(text, place));
}

function readBill(title: string, venueName: string): Bill {
  const found = createActs();
  const bill: { parties: string[]; presenter: string | null; tour: string | null } = { parties: [], presenter: null, tour: null };
  const open = readBrackets(withoutVenue(title, venueName), (name) => bill.parties.push(name), found.addMembers);
  const [presenter, presented] = splitOnce(open, PRESENTS);
  if (presented !== null) {
    bill.presenter = presenter;
    found.addPresenter(presenter);
  }
  for (const part of partsOf(presented ?? open)) readPart(part, presented === null);
  return { acts: found.list(), parties: [...new Set(bill.parties)], presenter: bill.presenter, tour: bill.tour };

  /** One part between colons and dashes: the main acts or the occasion, then who comes along. */
  function readPart({ main, along, isSole, isMain, isLast }: TitlePart, mayBeCertain: boolean): void {
    const isLineup = isList(main);
    if (TOUR.test(main)) bill.tour ??= main;
    if (main !== '' && !isLineup && !isSole) bill.parties.push(main);
    found.addList(main, 'headliner', isLineup ? isLast && !isNamedNight(main) : isSole && mayBeCertain);
    for (const names of along) found.addList(names, isMain ? 'headliner' : 'support', true);
  }
}

interface TitlePart {
  main: string;
  along: string[];
  /** It is a name, and all other parts name a tour or a day. */
  isSole: boolean;
  /** No part is a name of its own: who comes along is who performs. */
  isMain: boolean;
  /** Of several lists, an earlier one with two names is the name of the night: `Here + There: Marrow, Salt, Pine`. */
  isLast: boolean;
}

/** The parts between colons and dashes. */
function partsOf(text: string): TitlePart[] {
  const parts = text
    .split(PART_SIGN)
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .map((part) => {
      const [main = '', ...along] = ` ${part}`.split(SUPPORT).map((each) => each.trim());
      return { text: part, main, along };
    });
  const names = parts.filter(({ main }) => main !== '' && !isAside(main));
  const isNight = ({ text, along }: (typeof parts)[number]) => FEATURING.test(text) && along.some(isLongList);
  const isTour = ({ main }: { main: string }) => TOUR.test(main) || DATE.test(main);
  const lists = parts.filter(({ main }) => isList(main));
  return parts.map((part) => ({
    ...part,
    isLast: lists.at(-1) === part || part.main.split(LIST_SIGN).length !== 2,
    isSole: names.length === 1 && names[0] === part && !isNight(part) && parts.every((other) => other === part || isTour(other)),
    isMain: names.length === 0,
  }));
}

/** A tour, an occasion or a day; a list that begins with a tour is what follows it. */
function isAside(main: string): boolean {
  const [first = ''] = main.split(LIST_SIGN);
  if (isList(main)) return /\btour\b/i.test(first) || isNamedNight(main);
  return TOUR.test(main) || isOccasion(main) || DATE.test(main) || isArticle(main);
}

/** Where many are featured, what is before them is the name of their night. */
const isLongList = (names: string): boolean => names.split(WEAK_SIGN).length > 2 || isList(names);

/** `Soul, Funk & Disco Night`, `My Town, My Heart Tour`: commas inside the name of a night or a tour. */
const isNamedNight = (text: string): boolean =>
  !LIST_SIGN.test(text) && text.split(WEAK_SIGN).some((part) => OCCASION.test(part) || /\btour\b/i.test(part));

/** Three names or more, or a sign that is in no name. */
function isList(text: string): boolean {
  return LIST_SIGN.test(text) || text.split(WEAK_SIGN).length > 2 || text.split(TIGHT_SLASH).length > 2;
}

/** `An Evening`, `A Night`: it says that somebody follows. */
const isArticle = (text: string): boolean =>
  /^(?:an?|the|our|one|uma|una|ein|eine|une)\s+(?:\p{L}+\s+){0,3}(?:evening|night|afternoon|conversation|soirée|noche|abend)$/iu.test(
    text,
  );

/** Square brackets name a party, round ones who is in a band; both say also how somebody performs. */
function readBrackets(text: string, addParty: (name: string) => void, addMembers: (names: string) => void): string {
  return text.replace(BRACKETS, (whole, inside: string) => {
    if (whole.startsWith('[')) {
      if (!NOTE.test(inside)) addParty(inside.trim());
    } else if (isList(inside) || / (?:from|of) /i.test(inside)) addMembers(inside);
    return ' ';
  });
}

/** `Marrow @ Copper Hall`, `Marrow at Copper Hall` where that is the place. */
function withoutVenue(title: string, venueName: string): string {
  const [before, after] = splitOnce(title, /\s+@\s*/);
  const open = after === null ? title : `${before} ${(after.match(/[[(].*$/) ?? [''])[0]}`;
  const words = wordsOf(venueName);
  const at = open.lastIndexOf(' at ');
  if (at < 1 || words.length === 0) return open;
  const tail = wordsOf(open.slice(at + 4).replace(BRACKETS, ' '));
  const isVenue = tail.length > 0 && (tail.every((word) => words.includes(word)) || words.every((word) => tail.includes(word)));
  return isVenue ? open.slice(0, at) : open;
}

function splitOnce(text: string, sign: RegExp): [string, string | null] {
  const match = sign.exec(text);
  if (!match || match.index === 0) return [text, null];
  const rest = text.slice(match.index + match[0].length).trim();
  return rest === '' ? [text, null] : [text.slice(0, match.index).trim(), rest];
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && word !== 'the');

/** The acts of a bill as they are found, each name once. */
function createActs() {
  const acts = new Map<string, BillAct>();

  /** A name that was found twice keeps its first role, and is certain if one reading is. */
  function add(text: string, role: ActRole, { isCertain, isLead }: Standing): void {
    const name = cleanName(text);
    if (name === null || /\btour\b/i.test(name)) return;
    const key = name.toLowerCase();
    const known = acts.get(key);
    const isNamed = isCertain && !isOccasion(name);
    acts.set(key, {
      name: known?.name ?? name,
      role: known?.role ?? role,
      isCertain: isNamed || known?.isCertain === true,
      isLead: isLead || known?.isLead === true,
    });
  }

  function addList(text: string, role: ActRole, isCertain: boolean): void {
    const parts = splitList(text);
    for (const [index, part] of parts.entries()) addWeakList(part, role, { isCertain, isLead: index === 0 });
    if (parts.length > 1) add(text, role, WHOLE);
  }

  /** `Black Harbor, New Mill` is one act or two; with a third name it is a list. */
  function addWeakList(text: string, role: ActRole, { isCertain, isLead }: Standing): void {
    const parts = text.split(WEAK_SIGN).filter((part) => part.trim() !== '');
    const isClear = parts.length !== 2;
    for (const [index, part] of parts.entries())
      addPair(part, role, { isCertain: isCertain && isClear, isLead: isLead && index === 0 });
    if (parts.length > 1) add(text, role, { ...WHOLE, isLead });
  }

  /** `Salt & the Marrows` is one act, `Ida & Rico` may be two. */
  function addPair(text: string, role: ActRole, { isCertain, isLead }: Standing): void {
    add(text, role, { isCertain, isLead });
    const parts = text.split(PAIR_SIGN);
    if (parts.length > 1)
      for (const [index, part] of parts.entries()) add(part, role, { isCertain: false, isLead: isLead && index === 0 });
  }

  return {
    addPresenter: (name: string) => add(name, 'presenter', WHOLE),
    addList,
    addMembers(text: string): void {
      for (const part of text.split(/\s+(?:from|of)\s+/i)) addList(part, 'member', false);
    },
    list: (): BillAct[] => [...acts.values()].slice(0, MAX_ACTS),
  };
}

interface Standing {
  isCertain: boolean;
  isLead: boolean;
}

function splitList(text: string): string[] {
  const parts = text.split(LIST_SIGN).filter((part) => part.trim() !== '');
  if (parts.length > 1) return parts;
  const tight = text.split(/(?<=\p{L})\/(?=\p{L})/u);
  return tight.length > 2 ? tight : [text];
}

/** Null for what names nobody. */
function cleanName(text: string): string | null {
  let name = text.replace(/\s+/g, ' ').trim();
  for (let before = ''; before !== name; ) {
    before = name;
    name = name
      .replace(NAME_ENDING, '')
      .replace(/^(?:and|&|\+|plus|(?:dj sets?|music|sounds|beats) by|hosted by|special guests?:?)\s+/i, '')
      .replace(/^[\s"“”'‘*~,.:;–—-]+|[\s"“”*~,:;–—-]+$/gu, '')
      .trim();
  }
  if (name.length < MIN_CHARS || NOBODY.test(name) || !/\p{L}/u.test(name)) return null;
  return name.split(' ').length > MAX_WORDS ? null : name;
}

const bills = createMemory<Bill>(5000);
/** Longer titles are texts. */
const MAX_TITLE_CHARS = 300;
const BRACKETS = /[[(]([^()[\]]*)[)\]]/g;
const PART_SIGN = /:\s+|\s+[-–—]\s+|\s*:$/;
const FEATURING = /\s(?:feat(?:uring|\.)?|ft\.?)\s/i;
const DATE =
  /^\s*\d{1,2}[/.]\d{1,2}|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/i;
/** `Marrow/Copper Kettle/Salt`: with two slashes it is a list, with one it may be a name. */
const TIGHT_SLASH = /(?<=\p{L})\/(?=\p{L})/u;
/** A list as one name: some acts are called so. */
const WHOLE: Standing = { isCertain: false, isLead: true };
const MIN_CHARS = 2;
/** A longer one is a sentence. */
const MAX_WORDS = 8;
const MAX_ACTS = 60;

/** Names after `Line-up:`, `Featuring:` or `With performances by`, as far as the line or the list goes; none without such a word. */
export function lineupOf(description: string): string[] {
  const match = LINEUP.exec(description.slice(0, MAX_DESCRIPTION_CHARS));
  if (!match) return [];
  const rest = description.slice(match.index + match[0].length, match.index + match[0].length + MAX_LIST_CHARS);
  const lines = rest.split('\n').map((line) => line.replace(/^[\s\-–•*·]+/, '').trim());
  const first = lines.find((line) => line !== '') ?? '';
  const isOneLine = /[,/|•+]/.test(first);
  const end = lines.findIndex((line, index) => line === '' && index > 0);
  // A sentence ends its list with `and`.
  const names = isOneLine
    ? [first.replace(/[.!](?:\s.*)?$/s, '').replace(/ and (?=[^,]*$)/, ', ')]
    : lines.slice(0, end === -1 ? lines.length : end);
  const acts = createActs();
  for (const line of names) if (line.length <= MAX_NAME_CHARS || isOneLine) acts.addList(line, 'support', true);
  const listed = acts.list().filter(({ isCertain, name }) => isCertain && !isOccasion(name));
  return listed.length < MIN_NAMES ? [] : listed.map(({ name }) => name);
}

const LINEUP =
  /(?:^|\n|[.!]\s)\s*(?:line[- ]?up|featuring|with (?:live )?(?:performances|music|sets) (?:by|from)|performing|performers|artists|djs|besetzung|artistes)\s*:\s*/i;
const MAX_DESCRIPTION_CHARS = 4000;
const MAX_LIST_CHARS = 600;
const MAX_NAME_CHARS = 60;
/** One name after such a word may be the start of a sentence. */
const MIN_NAMES = 2;

/** Before it is who presents, after it is what is presented. */
const PRESENTS = /\s(?:presents?|pres\.|proudly presents|introduces)(?:\s*:\s*|\s+)/i;

/** After it are the acts that come along. `with` may introduce the main act as well: `An Evening with Marrow`. */
const SUPPORT =
  /\s*(?:[,+&]\s*)?(?:\s(?:w\/|with(?:\s+(?:very\s+)?special\s+guests?)?|feat(?:uring|\.)?|ft\.?|starring|hosted by|dj set by|accompanied by|plus(?:\s+special\s+guests?)?|special\s+guests?|invites)(?:\s*:\s*|\s+))/i;

/** A part of a title that names a tour, an album or an anniversary. */
const TOUR =
  /\btour\b|\btournée\b|\bgira\b|\balbum\b|\b(?:\d+\s*(?:th|st|nd|rd)?|\p{L}+th)[- ]years?\b|\banniversary\b|\bperform(?:s|ing)?\b|\bplay(?:s|ing)? the\b|\blive (?:at|in|from)\b|\brelease (?:show|party|concert)\b|\bworld premiere\b|\btribute\b|\bjourney\b/iu;

/** A part that names an occasion: a party, a festival, a series. Nobody is called so. */
const OCCASION =
  /\b(?:part(?:y|ies)|parrty|pride|fest|fests|festivals?|juneteenth|nights?|day|days|weekends?|celebration|anniversary|years of|after ?hours|after|afterparty|brunch|series|sessions?|rave|disco|takeover|showcase|residency|jam|jams|karaoke|cruise|boat|yacht|edition|solstice|midsummer|midsommar|world cup|watch|halloween|carnival|benefit|tribute|concert|in concert|gala|ball|open air|open[- ]mic|happy hour|rooftop|sunset|sunrise|summer|winter|spring|autumn|fall|comedy|stand[- ]?up|jazz|burlesque|drag|bingo|trivia|market|workshop|class|classes|lessons?|for the people|show|shows|musical|opera|ballet|play|gathering|experience|skate|week|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|fête|fete|nacht|nuit|soirée|abend|noche|fiesta|solo (?:piano|guitar|bass|violin|cello|saxophone|drums))\b/iu;

/** The last word of the name of a group, whatever else is in it: `Alder Jazz Orchestra`. */
const GROUP =
  /\b(?:orchestra|orchester|orchestre|orquesta|band|duo|trio|quartet|quintet|sextet|septet|octet|ensemble|philharmonic|choir)$/i;

const isOccasion = (text: string): boolean => OCCASION.test(text) && !GROUP.test(text.trim());

/** In brackets or behind a name: how somebody performs, not who. */
const NOTE =
  /\b(?:live|dj[- ]?set|club set|extended set|hybrid set|all night(?: long)?|open to close|free|rsvp|sold out|rescheduled|postponed|concert|album release|record release|acoustic|solo|early show|late show|tickets?|doors|day ?time|open[- ]air|rooftop|outdoors?|indoors?|event|show|ages?|over|matinee|tape|taping|hour set|nyc|usa|uk|de|fr)\b|\d/i;

/** What is left out of a list of names. */
const NOBODY =
  /^(?:and\s+)?(?:more|others?|many more|friends|guests?|special guests?|very special guests?|secret guests?|surprise guests?|tb[acd]|t\.b\.[acd]\.?|to be announced|support|supporting acts?|openers?|resident djs?|local djs?|djs?|dj sets?|live|live music|live band|live djs?|band|the band|house band|comedians|open format|all night|all night long|b2b|host|hosts|residents|lineup|line-up|free|rsvp)$/i;

/** Behind a name. */
const NAME_ENDING =
  /\s*(?:[-–—:,&+]|\band\b)?\s*\b(?:live|dj[- ]set|live set|in concert|(?:and|&|\+)?\s*(?:friends|guests?|more|special guests?)|\(live\)|all night(?: long)?)\s*[!.]*$/i;

/** Signs that stand between acts and in no name. */
const LIST_SIGN = /\s+(?:\/{1,2}|\||•|·|∙|⋅|\+|b2b|B2B|vs\.?|—|⟡|✦|\*)\s+|\s*[|•]\s*|;\s+/;
/** Signs that stand between acts, and in some names as well: both readings are kept. */
const WEAK_SIGN = /,\s+(?:and\s+|&\s+)?|\s+(?:x|X|×)\s+/;
/** The same, where two people are one act more often than two. */
const PAIR_SIGN = /\s+(?:&|and|y|und|et|e)\s+/i;

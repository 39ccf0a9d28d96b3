/** A venue's name as it is shown: without what providers add to tell chains apart, where that is certain. */

import { LIMITS } from '../limits.ts';
import type { CityFacts, Fix } from '../model.ts';
import { cutAtWord, folded, oneLine } from '../text.ts';
import { softenCase } from './soften-case.ts';
import { isCity } from './title-endings.ts';

/** '' when there is none, or only a word for none. A clean name is not changed by cleaning it again. */
export function cleanVenueName(raw: string | null, city: CityFacts, fix: Fix): string {
  let name = oneLine(raw).slice(0, MAX_READ).replace(SOURCE_MARKS, '');
  if (saysNowhere(name)) return '';
  for (let before = ''; before !== name; ) {
    before = name;
    const cut = cutSuffix(name, city);
    if (cut !== name) fix('venue_suffix_cut');
    const first = firstOfList(cut);
    if (first !== cut) fix('venue_list_cut');
    const short = cutAtWord(first.replace(/^[\s,;:|-]+(?=\S)|(?<=\S)[\s,;:|-]+$/g, ''), LIMITS.name);
    const soft = softenCase(short, city.locale, { hasInitials: true });
    if (soft !== short) fix('venue_case_softened');
    name = soft;
  }
  return name;
}

/** Whether the name says that the event takes place online. */
export function saysOnline(name: string): boolean {
  return ONLINE.test(folded(name)) || MEETINGS.test(hostOf(name) ?? '');
}

/** The host of a name that is nothing but an address of a page. */
const hostOf = (name: string): string | null => WEB_ADDRESS.exec(name)?.[1]?.toLowerCase() ?? null;

/** Whether the name says that the event is in several places, or at one that is not told: no house of a source is meant. */
export function saysElsewhere(name: string): boolean {
  return ELSEWHERE.test(folded(name));
}

/** Whether a private party is named where a venue should be. */
export function saysPrivate(name: string): boolean {
  return PRIVATE.test(folded(name));
}

/** `Music Box Theatre-NY`, `Toyota Center - TX`, `Palace Theatre - New York`, `Brooklyn Bowl (NY)`. */
function cutSuffix(name: string, city: CityFacts): string {
  const match = /\s*(?:[-–—]\s*|[([]\s*)([\p{L} .,]{2,40})[)\]]?$/u.exec(name);
  if (!match) return name;
  const [suffix, words = ''] = match;
  const rest = name.slice(0, match.index);
  const isState = STATES[regionOf(city.locale)]?.has(words.trim()) ?? false;
  if (!isState && !isCity(words, city)) return name;
  // `Berlin-NY` is certain, `Stuyvesant-New York` may be one name; `Elsewhere - CT` would leave a word.
  const isSure = isState || /\s[-–—]|[-–—]\s|[([]/.test(suffix) || /\s/.test(rest);
  return isSure && (rest.match(/\p{L}/gu)?.length ?? 0) >= MIN_LETTERS ? rest : name;
}

/** Of `Heron Park: Field 1 ,Heron Park: Field 2` the first; `Heron Park: Heron Park` once. */
function firstOfList(name: string): string {
  const [house = ''] = name.split(': ', 1);
  if (house === name || folded(house) === '') return name;
  const again = name.slice(house.length).search(/\s*,\s*/u);
  const other = again < 0 ? '' : name.slice(house.length + again).replace(/^\s*,\s*/u, '');
  const first = other.startsWith(`${house}:`) ? name.slice(0, house.length + again) : name;
  return folded(first.slice(house.length + 1)) === folded(house) ? house : first;
}

function saysNowhere(name: string): boolean {
  return !/\p{L}/u.test(name) || NOWHERE.test(folded(name)) || saysElsewhere(name) || hostOf(name) !== null;
}

function regionOf(locale: string): string {
  return /[-_]([A-Z]{2})(?:[-_]|$)/i.exec(locale)?.[1]?.toUpperCase() ?? '';
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** By country: what stands behind a name in capitals. */
const STATES: Readonly<Record<string, ReadonlySet<string>>> = {
  __proto__: null as never,
  US: setOf(
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC',
  ),
  CA: setOf('AB BC MB NB NL NS ON PE QC SK'),
};
/** Before the name of a source, this stands for its listings that name no place. No name of a place begins so. */
export const SOURCE_MARK = 'source:';
const SOURCE_MARKS = new RegExp(`^(?:${SOURCE_MARK}\\s*)+`);
/** Characters of a text of any length. */
const MAX_READ = 2_000;
/** Texts that stand where a venue should be, by language, in the form of `folded`. They name none, however many listings have them. */
const NO_VENUES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'tb[acd]|to be (?:announced|determined|confirmed)|unknown(?: venue| location)?|none|null|undefined|n a|na|no (?:venue|location)',
    '(?:venue|location|place|address)s? (?:tb[acd]|to be .*|unknown|not .*)',
    '(?:see|check|visit|view) (?:the |our |event )?(?:description|website|web site|site|below|details|more|map|post|event|flyer|notes|listing|link|page)s?(?: .*)?',
    '(?:view|show|read|learn|find out) (?:more|map|details)|more (?:info(?:rmation)?|details)|click here|(?:get )?directions',
    '(?:event )?(?:details|location|venue)',
  ],
  de: [
    'mehr(?: (?:infos?|erfahren|anzeigen|dazu))?|siehe (?:website|webseite|homepage|beschreibung|details|unten|flyer|programm)(?: .*)?',
    '(?:(?:veranstaltungs)?ort|treffpunkt) (?:folgt|offen|unbekannt|wird noch .*)|wird noch bekannt ?gegeben|noch offen|unbekannt(?:er ort)?',
  ],
  fr: [
    'voir (?:plus|la carte|le site|description|le programme|details?)|en savoir plus|plus d ?infos?',
    'lieu (?:a (?:confirmer|preciser|venir|definir)|non communique|inconnu)|a (?:confirmer|preciser|definir)',
  ],
  es: [
    'ver (?:mas|detalles|mapa|web)|mas info(?:rmacion)?|(?:lugar|sede) por (?:confirmar|definir|determinar)|por (?:confirmar|definir)',
  ],
  it: ['luogo da (?:definire|confermare)|da definire'],
  nl: ['locatie (?:volgt|onbekend)'],
  pt: ['local a (?:definir|confirmar)|saiba mais|ver mais'],
};
/** The same for somewhere that has no name on purpose, or for several places. */
const ELSEWHERES: typeof NO_VENUES = {
  en: [
    'various|(?:various|multiple|several|different|numerous|many|assorted) (?:venues|locations|places|sites|spots|addresses)(?: (?:in|around|across|throughout|at|on|near|within|and|of|citywide|downtown|see)(?: .*)?)?',
    '(?:venue|location|place|address)s? (?:var(?:y|ies)|various)|citywide|city wide|everywhere|anywhere|house show buy tickets for location',
    '(?:secret|undisclosed|private|mystery|hidden) (?:location|venue|address|spot|place)(?: .*)?',
    '(?:location|address) .*(?:after|upon|with) (?:rsvp|purchase|ticket|registration).*',
  ],
  de: [
    '(?:verschiedene|diverse|mehrere|wechselnde|unterschiedliche|viele)n? (?:\\w*orten?|locations|platzen?|raumen?|stellen)(?: .*)?',
    'stadtweit|im ganzen stadtgebiet|uberall',
  ],
  fr: [
    '(?:divers|differents|plusieurs) (?:lieux|endroits|sites|salles)(?: .*)?|lieux (?:divers|multiples|varies)|partout en ville',
  ],
  es: [
    '(?:varios|diferentes|diversos|distintos|multiples) (?:lugares|sitios|espacios|recintos)(?: .*)?|(?:varias|diferentes|diversas) (?:sedes|ubicaciones|salas)(?: .*)?',
  ],
  it: ['vari luoghi|luoghi vari|varie sedi|sedi varie|diverse (?:sedi|location)'],
  nl: ['(?:diverse|verschillende|meerdere) (?:locaties|plekken|plaatsen|zalen)(?: .*)?'],
  pt: ['(?:varios|diversos|diferentes) (?:locais|lugares|espacos)(?: .*)?'],
};
const anyOf = (texts: typeof NO_VENUES): RegExp => new RegExp(`^(?:${Object.values(texts).flat().join('|')})$`);
const NOWHERE = anyOf(NO_VENUES);
const ELSEWHERE = anyOf(ELSEWHERES);
const ONLINE =
  /^(?:(?:virtual|online|web|internet)(?: online)?(?: (?:events?|venue|location|only|class|via .*|on .*|meeting|program|livestream))*|(?:via |on )?(?:zoom|webex|google meet|microsoft teams|youtube(?: live)?|twitch|facebook live|instagram live)(?: .*)?|live ?stream(?:ing)?(?: .*)?|en ligne|en linea|verkossa|etana|webinar)$/;
const WEB_ADDRESS = /^(?:https?:\/\/|(?=www\.))([^\s/?#:@]+)\S*$/i;
const MEETINGS =
  /(?:^|\.)(?:zoom\.us|teams\.(?:microsoft|live)\.com|meet\.google\.com|webex\.com|youtube\.com|youtu\.be|twitch\.tv|whereby\.com|gotomeeting\.com|meet\.jit\.si|crowdcast\.io)$/;
const PRIVATE =
  /^private(?: \w+){0,2}? (?:event|party|function|residence|home|house)(?: .*)?$|^private (?:event|party|function|residence|home)s?$/;
const MIN_LETTERS = 3;

/** Listings that are nothing one can go to, or not for everybody. The tables of words; docs/normalizing.md says why. */

import type { EventListing } from '../../providers/index.ts';
import { type RefusalCode, type Rejected, refused } from '../model.ts';
import { folded, oneLine } from '../text.ts';

/** `title` is the provider's, as plain text. Null for what may be an event. */
export function refuseNonEvent(title: string, listing: EventListing): Rejected | null {
  const words = folded(title);
  if (NO_TITLE.test(words)) return refused('title', 'no_title', `wanted a title, got ${quoted(title)}`);
  const status = folded(listing.status ?? '');
  if (HIDDEN_STATUSES.has(status)) return refused('status', 'not_published', `the provider says that it is ${status}`);
  const kind = listing.categoryWords.map(folded).find((word) => KINDS.has(word));
  const kindCode = kind === undefined ? undefined : KINDS.get(kind);
  if (kindCode) return refused('category', kindCode, `the provider calls it ${quoted(kind ?? '')}`);
  for (const { code, patterns } of BY_TITLE) {
    if (patterns.some((pattern) => pattern.test(title))) return refused('title', code, `its title says so: ${quoted(title)}`);
  }
  const isPrivate = () => PRIVATE_TITLES.has(words) || PRIVATE_PATTERNS.some((pattern) => pattern.test(title));
  if (saysLittle(listing) && isPrivate()) {
    return refused('title', 'private', `it is a private party or a reservation: ${quoted(title)}`);
  }
  return null;
}

/** A permit says who has reserved a place and nothing that would make anybody come. */
function saysLittle({ description, performers, isFree, priceMin, priceMax, priceText, image }: EventListing): boolean {
  const isPriced = isFree === false || (priceMin ?? 0) > 0 || (priceMax ?? 0) > 0 || (priceText ?? '') !== '';
  return (
    !isPriced && performers.length === 0 && !image && oneLine(description?.slice(0, MAX_READ) ?? null).length < TELLING_CHARS
  );
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, MAX_PRINTED));

const NO_TITLE =
  /^(?:|tb[acd]|to be (?:announced|determined|confirmed)|untitled(?: event)?|no title|null|undefined|n a|event|test(?:ing)?(?: (?:event|test))?|do not (?:use|publish)|hold|placeholder)$/;

const HIDDEN_STATUSES = new Set([
  'draft',
  'private',
  'unlisted',
  'unpublished',
  'deleted',
  'removed',
  'rejected',
  'pending approval',
  'ready for validation',
  'inactive',
]);

/** What providers and cities call kinds of listings, folded. Sport permits reserve a pitch. */
const KINDS: ReadonlyMap<string, RefusalCode> = new Map([
  ...kinds('private', 'private, private event, private party, sport youth, sport adult, reserved'),
  ...kinds(
    'not_an_event',
    'production event, shooting permit, filming photography, theater load in and load outs, rigging permit, construction, permanent, news, blog, article, press release, closure',
  ),
  ...kinds('ticket_package', 'parking, add on, gift card, upsell, vip upgrade'),
]);

function kinds(code: RefusalCode, words: string): [string, RefusalCode][] {
  return words.split(', ').map((word) => [word, code]);
}

/** In the order in which they are asked. */
const BY_TITLE: readonly { code: RefusalCode; patterns: readonly RegExp[] }[] = [
  {
    code: 'lottery',
    patterns: [
      // "Standard Lottery - Romeo & Juliet", "Senior 65+ / ADA Lottery: …", "… (Digital Lottery)". Not "The Lottery", nor a band of the name.
      /^(?:(?:standard|senior|ada|accessible|digital|general|in[- ]person|online|mobile|ticket|rush|\d+\+|[/&])[\s/]*)+lottery\s*[-–—:|]/i,
      /[-–—:|([]\s*(?:(?:standard|senior|ada|accessible|digital|general|in[- ]person|mobile|ticket|\d+\+)\s+)+lottery\s*[)\]]?\s*$/i,
      /\blottery (?:entry|tickets?)\b.*[-–—:|]|^(?:rush tickets|student rush)\s*[-–—:|]/i,
    ],
  },
  {
    code: 'ticket_package',
    patterns: [
      /\*\s*premium (?:seating|seats?)\s*\*|[-–—|(]\s*premium seating\b/i,
      /^pinstripe pass\b|^(?:\w+ ){0,2}(?:hospitality|vip) (?:pass|package)s?\s*[-–—:*|]/i,
      /^parking\b(?!\s+(?:lot|day|garage party))|\bparking (?:pass(?:es)?|only|permit)\b|[-–—:|(]\s*parking\s*\)?$/i,
      /\badd[- ]?on\b|\bnot a (?:concert |show |event |game )?ticket\b|\bticket (?:add|up)[- ]?(?:on|grade)/i,
      /\b(?:season|flex|membership) (?:tickets?|pass(?:es)?|packages?|plans?|subscriptions?)\b|\b(?:half|full|partial|mini)[- ]season (?:plan|package)s?\b|\b\d+[- ]game (?:plan|pack)s?\b|\bsubscription package\b/i,
      /^gift (?:cards?|certificates?|vouchers?)\b|\bgift (?:card|certificate|voucher)s?$/i,
      /\b(?:vip|meet (?:and|&) greet|early entry|fast lane|club) (?:upgrade|package|add-?on|access only)\b|\bupgrade (?:only|package)\b/i,
      /\b(?:hotel|travel|camping|shuttle|locker|suite|lounge|coat check) (?:package|pass|rental|deposit|access|upgrade)s?\b/i,
      /^group (?:tickets|sales)\b|\b(?:resale|verified resale) tickets?\b|\bsuite (?:rental|reservation)s?\b/i,
    ],
  },
  {
    code: 'not_an_event',
    patterns: [
      /\bthings to do\b|^(?:the )?(?:ultimate|complete|definitive) guide\b|\b(?:a|\w+ area) guide\b.*\b20\d\d|\bguide\b[^:]*\(?20\d\d\)?$/i,
      /^\d+\+? (?:awesome|best|great|fun|free|cool|top|amazing|must)\b(?!.*\b(?:tour|tours)\b)|^(?:giveaway|contest)\s*:|^win (?:free )?(?:tickets|passes|a pair)\b/i,
      /\b(?:lawn|field|winter|weekend|street|road|park|pool|library|branch|facility|holiday) (?:winter )?clos(?:ure|ed|ing)\b|^clos(?:ed|ure)\b(?: (?:for|on|due|of)\b|$|\s*[-–—:])/i,
      /^no (?:\p{L}+ ){0,2}(?:sessions?|shows?|music|jam|class|classes|meeting|market|event|program) (?:today|tonight|this (?:week|evening|afternoon))[.!]*$/iu,
      /\b(?:permitted film|film(?:ing)? (?:permit|shoot)|load[- ]in\b.*load[- ]out|production parking|parking for\b.*(?:vehicles|trucks))/i,
      /\bcovid\b.*\b(?:test|testing|vaccin\w*|site)\b|\bvaccine command\b|\b(?:out ?door|outside) learning\b|\btesting for the public\b|^bus (?:pick|drop)[- ]?(?:up|off)\b|\bno amplified sound\b/i,
      // The entry to a museum, sold for a day.
      /\b(?:museum|gallery|zoo|aquarium|observatory|planetarium)\b.*\b(?:general )?admission\s*$/i,
    ],
  },
  {
    code: 'private',
    patterns: [
      /^\[?\(?private\b(?! (?:lives?|view(?:ing)?s?|eyes?|parts?|benjamin|ryan|peaceful|romeo|idaho|dancer|property|joke))|\(private(?: (?:event|party))?\)$|\b(?:closed|reserved) for (?:a )?private\b|[-–—:]\s*private (?:event|party)$/i,
    ],
  },
];

/** Whole titles of permits. */
const PRIVATE_TITLES = new Set(
  'miscellaneous,picnic,picnic house,barbecue,bbq,cookout,party,celebration,gathering,family gathering,birthday,birthday party,kids birthday party,wedding,wedding ceremony,wedding reception,wedding photos,engagement,engagement party,proposal,baby shower,bridal shower,gender reveal,graduation,graduation party,anniversary,anniversary party,family reunion,reunion,repast,meeting,reserved,company picnic,corporate picnic,school picnic,class picnic,field day,team building,photo shoot,photoshoot,rehearsal dinner,sweet 16,elopement,funeral,bus pickup'.split(
    ',',
  ),
);

/** Where a listing says nothing else. A sign such as a colon or a bar belongs to a programme: "Movies Under the Stars: Muriel's Wedding". */
const PRIVATE_PATTERNS: readonly RegExp[] = [
  /^[^:|@/]{1,40}['’]s (?:(?:\d+(?:st|nd|rd|th)|first|sweet (?:16|sixteen)) )?(?:birthday|bday|b-day)(?: (?:party|bbq|barbecue|picnic|celebration|bash|cookout))?$/iu,
  /^(?!(?:a|an|the|our|annual) )(?:[^\s:|@/]+ ){0,3}(?:\d+(?:st|nd|rd|th) )?birthday (?:party|bbq|barbecue|picnic|celebration|cookout)$/iu,
  /^(?:[^\s:|@/]+ ){1,3}(?:wedding(?: (?:ceremony|reception))?|baby shower|bridal shower|rehearsal dinner)$/iu,
  /^(?:[^\s:|@/]+ ){1,4}family (?:reunion|picnic|breakfast|barbecue|bbq|cookout|gathering|circle)\b(?: \S+)?$/iu,
  /^[^:|@/]{1,40}['’]s (?:funeral|repast|baby shower|engagement party|graduation party)$/iu,
  /^(?:anniversary|birthday|graduation|wedding|family)(?: and| &) [^:|@]{1,40}$/iu,
  /\b(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|pre-?k|kindergarten|class) grades?\b[^:|@]*\b(?:picnic|celebration|field day|graduation|party|trip|bbq|prom)$/iu,
  /\b[PIMJ]\.?[SH]\.?\s?\d{1,3}[A-Z]?\b[^:|@]*\b(?:picnic|celebration|field day|graduation|party|trip|bbq|recess|lunch|class)\b|\b(?:school|shool)\s+P\.?S\.?\s?\d{1,3}$/iu,
  /^(?:[A-Z]{2,6} )+\d+ [Ff]ield [Dd]ay$/u,
];

/** A description of this length was written for people who may come. */
const TELLING_CHARS = 80;
/** Of a description: markup says nothing. */
const MAX_READ = 2000;
const MAX_PRINTED = 80;

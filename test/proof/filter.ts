/**
 * What the proof does not compare, in one place: values that differ from run to run, and what is no promise to anybody. Each rule says
 * why. A rule that hides more than it must hides faults, so a rule names the items that it is for.
 */

/** Ids of the directory begin like this in the proof. They are the same in every run, and are compared. */
export const KNOWN_IDS = '00000000-0000-7000-8000-';
/** So do ids that are computed from a listing and the day on which it was first seen: the day of the proof. */
const COMPUTED_IDS = '016b7';

interface Rule {
  /** Names of the items that it is for; all without it. */
  only?: RegExp;
  find: RegExp;
  put: string;
}

const PAGES = /^page /;
/** Pages that tell real time: of sessions, of use, of the service itself. */
const TIMED_PAGES = /^page (?:POST )?\/(?:dashboard|status|data-quality)/;
/** Pages with charts over the last days, which move on with every hour. */
const CHARTS = /^page \/(?:dashboard\/usage|status)/;
const STATUS = /^page \/status/;
const USAGE = /^api .*\/usage/;
const FEED_CALENDARS = /^document GET \/feeds\/.*\.ics$/;
/** Where the last four letters of keys and tokens are shown. */
const SHORT_SECRETS = /^(?:page (?:POST )?\/(?:dashboard|desk)|command key)/;

/** In this order. What stands for a value has no angle brackets, so that later rules still see whole tags. */
const RULES: readonly Rule[] = [
  // The scripts of the pages, and what they take over from the server: neither is seen by a reader.
  { only: PAGES, find: /<script(?![^>]*ld\+json)[^>]*>[\s\S]*?<\/script>/g, put: '' },
  // Which files the builder makes of the pages, and their order, is its own matter.
  { only: PAGES, find: /<link[^>]*(?:modulepreload|stylesheet)[^>]*>/g, put: '' },
  { find: /\/assets\/[\w.-]+?-[\w-]{8}(\.\w+)/g, put: '/assets/[asset]$1' },
  // React numbers the elements that refer to each other by where they stand among its components.
  { only: PAGES, find: /_R_[0-9a-zA-Z]+_/g, put: '[id]' },
  // A nonce of the Content-Security-Policy is good for one answer.
  { find: /(nonce[-=]"?)[\w-]{16,}/g, put: '$1[nonce]' },
  // Hidden fields that make a form count once.
  { only: PAGES, find: /(name="token" value=")[^"]*/g, put: '$1[token]' },
  // Ids that are drawn at random: of forms, exports, feeds, decisions and sessions.
  {
    find: new RegExp(`(?!${KNOWN_IDS}|${COMPUTED_IDS})\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b`, 'gi'),
    put: '[uuid]',
  },
  // The id of a request is made of its moment and of random letters.
  { find: /\b0[0-9A-HJKMNP-TV-Z]{25}\b/g, put: '[request]' },
  // The signature of an export's URL holds the export's id. What stands before it, the end of its time, is compared.
  { find: /(\/exports\/\w+\.)[\w-]{43}/g, put: '$1[signature]' },
  { only: SHORT_SECRETS, find: /…(<!-- -->)?[\w-]{4}(?![\w-])/g, put: '…$1[end]' },
  // Calendars fold long lines, and with them the token.
  { only: FEED_CALENDARS, find: /(SOURCE;VALUE=URI:)[\s\S]*?\.ics/g, put: '$1[token].ics' },
  // How long somebody must wait depends on how fast the proof was.
  { find: /(wait |retryAfterSeconds":)\d+/g, put: '$1[seconds]' },
  // Requests are counted by the real minute, hour and day.
  { only: USAGE, find: /"days":\[[^\]]*\]/g, put: '"days":[]' },
  { only: USAGE, find: /("(?:used|remaining)":)\d+/g, put: '$1[count]' },
  { only: USAGE, find: /("resetsAt":")[^"]*/g, put: '$1[moment]' },
  { only: CHARTS, find: /<svg[\s\S]*?<\/svg>/g, put: '[chart]' },
  // Moments of this century's later years are real: the city's are in 2019 and 2020.
  { only: TIMED_PAGES, find: /\b20(?:2[4-9]|[3-9]\d)-\d\d-\d\d(?:T[\d:.]+Z)?/g, put: '[moment]' },
  {
    only: TIMED_PAGES,
    find: /\b[A-Z][a-z]{2} \d{1,2}, 20(?:2[4-9]|[3-9]\d)(?:, \d{1,2}:\d\d [AP]M(?: UTC)?)?/g,
    put: '[moment]',
  },
  { only: CHARTS, find: /\b[A-Z][a-z]{2} \d{1,2}(?:, \d{1,2}:\d\d [AP]M)?(?=<)/g, put: '[moment]' },
  // The page of the service tells how many requests it has answered, how fast, and when that was.
  { only: STATUS, find: /(<(?:td|p) class="number">)[^<]*/g, put: '$1[number]' },
  { only: STATUS, find: /(<p class="quiet(?: small)?">)[^<]*\d[^<]*(?=<\/p>)/g, put: '$1[moment]' },
];

/** `known`: values that the run made itself, with the word that stands for each. */
export function filterText(item: string, text: string, known: ReadonlyMap<string, string>): string {
  let filtered = text;
  for (const [value, word] of longestFirst(known)) filtered = filtered.replaceAll(value, word);
  for (const { only, find, put } of RULES) if (only?.test(item) ?? true) filtered = filtered.replace(find, put);
  return filtered;
}

const longestFirst = (known: ReadonlyMap<string, string>) => [...known].sort(([a], [b]) => b.length - a.length);

/** Of the connection, not of the answer; the moment; the length of a body that holds values of the run. */
const LEFT_OUT: ReadonlySet<string> = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);
/** That they are there is a promise. Their values come from the moment, from what was asked before or from random numbers. */
const NAMES_ONLY: ReadonlySet<string> = new Set([
  'age',
  'etag',
  'last-modified',
  'ratelimit',
  'retry-after',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
]);

/** One line for each header, in the order of their names. */
export function filterHeaders(headers: readonly (readonly [string, string])[]): string[] {
  return headers
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => {
      if (name === 'etag') return `etag: ${value.startsWith('W/') ? 'W/' : ''}[tag]`;
      // What a cookie is called and may do, not what it holds.
      if (name === 'set-cookie') return `set-cookie: ${value.replace(/=[^;]*/, '=[value]')}`;
      return NAMES_ONLY.has(name) ? `${name}: [value]` : `${name}: ${value}`;
    })
    .sort();
}

/**
 * What the proof does not compare, in one place: values that differ from run to run, and what is no promise to anybody. Each rule says
 * why. A rule that hides more than it must hides faults, so a rule names the items that it is for.
 */

/** Ids of the directory begin like this in the proof. They are the same in every run, and are compared. */
export const KNOWN_IDS = '00000000-0000-7000-8000-';

interface Rule {
  /** Names of the items that it is for; all without it. */
  only?: RegExp;
  find: RegExp;
  put: string;
}

const PAGES = /^page /;

const RULES: readonly Rule[] = [
  // Ids that are drawn at random: of forms, exports, feeds, decisions and sessions.
  { find: new RegExp(`(?!${KNOWN_IDS})\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b`, 'gi'), put: '<uuid>' },
  // The id of a request is made of its moment.
  { find: /urn:request:[0-9A-HJKMNP-TV-Z]{26}/g, put: 'urn:request:<id>' },
  // A nonce of the Content-Security-Policy is good for one answer.
  { find: /(nonce[-=]"?)[\w-]{16,}/g, put: '$1<nonce>' },
  // Hidden fields that make a form count once.
  { only: PAGES, find: /(name="token" value=")[^"]*/g, put: '$1<token>' },
  // The scripts of the pages, and what they take over from the server: neither is seen by a reader.
  { only: PAGES, find: /<script(?![^>]*ld\+json)[^>]*>[\s\S]*?<\/script>/g, put: '' },
  // Which files the builder makes of the pages, and their order, is its own matter.
  { only: PAGES, find: /<link[^>]*(?:modulepreload|stylesheet)[^>]*>/g, put: '' },
  { find: /\/assets\/[\w.-]+?-[\w-]{8}(\.\w+)/g, put: '/assets/<asset>$1' },
  // React numbers the elements that refer to each other by where they stand among its components.
  { only: PAGES, find: /_R_[0-9a-zA-Z]+_/g, put: '<id>' },
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
      if (name === 'etag') return `etag: ${value.startsWith('W/') ? 'W/' : ''}<tag>`;
      // What a cookie is called and may do, not what it holds.
      if (name === 'set-cookie') return `set-cookie: ${value.replace(/=[^;]*/, '=<value>')}`;
      return NAMES_ONLY.has(name) ? `${name}: <value>` : `${name}: ${value}`;
    })
    .sort();
}

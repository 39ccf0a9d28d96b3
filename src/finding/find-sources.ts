/** `findSources`: the sources of events that a web address leads to. */

import type { PageSurvey } from '../providers/index.ts';
import { DAY_MS } from '../values/duration.ts';
import { createAsker, type FailedAsk, MAX_BODY_BYTES, withoutFragment } from './ask-politely.ts';
import { webAddressOf } from './event-words.ts';
import { joinCandidates } from './join-candidates.ts';
import type { FindingContext, FoundSources, SourceCandidate } from './model.ts';
import { type SiteSearch, searchFrom } from './search.ts';

/**
 * Looks at the page, at what it links to and at the platforms that it names, and reads every calendar that they lead to. Never rejects for
 * anything that the site or the network does: `notes` says it.
 */
export async function findSources(address: string, context: FindingContext): Promise<FoundSources> {
  const starts = startsOf(address);
  const [first] = starts;
  if (first === undefined) return unreached(noAddressNote(address));
  const checked = context.outbound.checkAddress(first);
  if (!checked.ok) return unreached(checked.reason);
  const asker = createAsker(starts, context);
  const search = await searchFrom(starts, asker, context);
  const candidates = joinCandidates(search.read);
  // The other way to mean the address has answered.
  const refusals = asker.refusals().filter(({ url }) => search.answeredAs === null || !starts.includes(url));
  const notes = explain(search, refusals, candidates);
  const isReached = search.answeredAs !== null || refusals.some(({ status, code }) => status !== null || code === 'robots');
  return { candidates, notes, isReached, requests: asker.sent() };
}

/** The address as it may be meant, without a fragment: a name alone is tried over https first. Empty for what is none. */
function startsOf(address: string): string[] {
  return addressesMeant(address).map(withoutFragment);
}

function addressesMeant(address: string): string[] {
  const given = address.trim();
  const text = webAddressOf(given);
  if (/^webcal:/i.test(given) && URL.canParse(text)) return [new URL(text).href, new URL(webAddressOf(given, 'http:')).href];
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? [new URL(text).href] : [];
  const isName = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]|$)/u.test(text);
  if (!isName || !URL.canParse(`https://${text}`)) return [];
  return [new URL(`https://${text}`).href, new URL(`http://${text}`).href];
}

/** What stands before an `@` may be a secret, whatever else is wrong. */
function noAddressNote(address: string): string {
  const end = address.lastIndexOf('@');
  if (address.slice(0, Math.max(0, end)).includes(':'))
    return 'wanted a web address without a user name and a password, got one with them';
  const shown = end < 0 ? address : `…${address.slice(end)}`;
  return `wanted a web address such as example.org, got ${JSON.stringify(shown.slice(0, MAX_PRINTED))}`;
}

const unreached = (note: string): FoundSources => ({ candidates: [], notes: [note], isReached: false, requests: 0 });

/** Why nothing, or not everything, was found: sentences without a full stop, the most important first. */
function explain(
  { start, answeredAs, isCut, signIn }: Omit<SiteSearch, 'read'>,
  refusals: readonly FailedAsk[],
  candidates: readonly SourceCandidate[],
): string[] {
  const notes: string[] = [];
  const locked = lockedOf(refusals, candidates);
  if (signIn || (answeredAs === null && locked.length > 0)) notes.push(SIGN_IN);
  // With a status, the file itself could not be read.
  const closed = refusals.filter(({ code, status }) => code === 'robots' && status === null);
  if (closed.length > 0) notes.push(robotsNote(closed));
  notes.push(...statusNotes(refusals, answeredAs === null, candidates.length === 0));
  const [first] = refusals;
  if (answeredAs === null && first && notes.length === 0) notes.push(first.detail);
  for (const { url, code, detail } of refusals)
    if (TROUBLES.includes(code) && !notes.includes(detail)) notes.push(`${detail}: ${url}`);
  if (refusals.some(({ code }) => code === 'spent')) notes.push(SPENT);
  if (answeredAs !== null && candidates.length === 0 && !notes.includes(SIGN_IN))
    notes.push(nothingNote(start, answeredAs) + (isCut ? CUT : ''), ...lockedNotes(locked));
  return notes;
}

/** A page that is forbidden counts where it is the one that was asked for; one that is out of service, where it may be missed. */
function statusNotes(refusals: readonly FailedAsk[], isStart: boolean, isEmpty: boolean): string[] {
  const [busy, away, forbidden] = [429, 503, 403].map((wanted) => refusals.find(({ status }) => status === wanted));
  return [
    ...(busy ? [`${hostOf(busy)} answers 429 (too many requests) and ${waitOf(busy)}`] : []),
    ...(away && (isEmpty || away.retryAfterMs !== null)
      ? [`${hostOf(away)} answers 503 (out of service for now) and ${waitOf(away)}`]
      : []),
    ...(forbidden && isStart ? [`${hostOf(forbidden)} answers 403 (forbidden): it keeps programs out, or asks to sign in`] : []),
  ];
}

/** The requests that want a user name; where there is a calendar, they do not matter. */
function lockedOf(refusals: readonly FailedAsk[], candidates: readonly SourceCandidate[]): FailedAsk[] {
  return candidates.length === 0 ? refusals.filter(({ status }) => status === 401) : [];
}

/** One part of a site may be closed: a page for members counts, but no file or interface for programs. */
function lockedNotes(locked: readonly FailedAsk[]): string[] {
  const [page] = locked.filter(({ url }) => !FOR_PROGRAMS.test(url));
  return page ? [`${hostOf(page)} asks to sign in for ${new URL(page.url).pathname}, so that was not read`] : [];
}

/** Names the answer of an address that is no page. */
function nothingNote(start: PageSurvey | null, answeredAs: string): string {
  if (start?.form === 'json')
    return 'the address answers with JSON that describes no events; if it lists events, add it as a source with a mapping';
  if (start !== null && start.form !== 'other') return NOTHING;
  const came = answeredAs === '' ? 'nothing, or a file without a type' : answeredAs;
  return `wanted a web page or a calendar, got ${came.slice(0, MAX_PRINTED)}`;
}

const hostOf = ({ url }: FailedAsk): string => new URL(url).host;

/** As its `Retry-After` says it. */
function waitOf({ retryAfterMs }: FailedAsk): string {
  if (retryAfterMs === null) return 'does not say how long to wait; try again in an hour';
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  const [size, unit] = WAITS.find(([each]) => seconds >= 2 * each) ?? [1, 'second'];
  const count = Math.ceil(seconds / size);
  // Of a longer time a day is kept.
  const more = retryAfterMs >= DAY_MS ? ' or more' : '';
  return `asks to wait ${count} ${unit}${count === 1 ? '' : 's'}${more}; try again then`;
}

function robotsNote(closed: readonly FailedAsk[]): string {
  const hosts = [...new Set(closed.map(({ url }) => new URL(url).host))].join(', ');
  const paths = [...new Set(closed.map(({ url }) => new URL(url).pathname))].slice(0, MAX_PATHS).join(', ');
  return `the robots.txt of ${hosts} keeps programs from ${paths}; if you may read it, add the source yourself`;
}

/** For `openOutbound`: what a request of finding may take. One byte more than is read tells that there is more. */
export const FINDING_LIMITS = { bodyBytes: MAX_BODY_BYTES + 1, codedBytes: MAX_BODY_BYTES, totalMs: 15_000 } as const;
const MAX_PRINTED = 100;
const TROUBLES: readonly string[] = ['tls', 'too_large', 'refused_address'];
const SIGN_IN = 'the site asks to sign in, so its pages cannot be read; ask its owner for a public calendar';
const SPENT = 'not everything was looked at: the requests or the time for one address are used up';
const NOTHING = 'no calendar was found: no events for machines, no calendar file and no known platform on the pages looked at';
const CUT = '; the answer is larger than 5 MB, and only its beginning was read';
const FOR_PROGRAMS = /\/wp-json\/|[?&]rest_route=|\/api\/|\/robots\.txt$|\.xml(?:\.gz)?$/i;
const MAX_PATHS = 3;
/** In seconds, the largest first. */
const WAITS = [
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** `explain`: why nothing, or not everything, was found at an address, in sentences for the person who typed it. */

import type { AskRefusal } from './ask-politely.ts';
import type { SourceCandidate } from './model.ts';
import type { Search } from './search.ts';

/** Without a full stop; the most important first. */
export function explain(
  { start, signIn }: Pick<Search, 'start' | 'signIn'>,
  refusals: readonly AskRefusal[],
  candidates: readonly SourceCandidate[],
): string[] {
  const notes: string[] = [];
  if (signIn || refusals.some(({ status }) => status === 401)) notes.push(SIGN_IN);
  const closed = refusals.filter(({ code }) => code === 'robots');
  if (closed.length > 0) notes.push(robotsNote(closed));
  const busy = refusals.find(({ status }) => status === 429);
  if (busy) notes.push(`${new URL(busy.url).host} answers 429 (too many requests); try again later`);
  const [first] = refusals;
  if (!start && first && notes.length === 0) notes.push(first.detail);
  for (const { url, code, detail } of refusals)
    if (TROUBLES.includes(code) && !notes.includes(detail)) notes.push(`${detail}: ${url}`);
  if (refusals.some(({ code }) => code === 'spent')) notes.push(SPENT);
  if (start && candidates.length === 0) notes.push(NOTHING);
  return notes;
}

function robotsNote(closed: readonly AskRefusal[]): string {
  const hosts = [...new Set(closed.map(({ url }) => new URL(url).host))].join(', ');
  const paths = [...new Set(closed.map(({ url }) => new URL(url).pathname))].slice(0, MAX_PATHS).join(', ');
  return `the robots.txt of ${hosts} keeps programs from ${paths}; if you may read it, add the source yourself`;
}

const TROUBLES: readonly string[] = ['tls', 'too_large', 'refused_address'];
const SIGN_IN = 'the site asks to sign in, so its pages cannot be read; ask its owner for a public calendar';
const SPENT = 'not everything was looked at: the requests or the time for one address are used up';
const NOTHING = 'no calendar was found: no events for machines, no calendar file and no known platform on the pages looked at';
const MAX_PATHS = 3;

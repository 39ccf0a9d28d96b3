/** `explain`: why nothing, or not everything, was found at an address, in sentences for the person who typed it. */

import type { PageSurvey } from '../providers/index.ts';
import type { Asker, AskRefusal } from './ask-politely.ts';
import type { SourceCandidate } from './model.ts';

export interface Obstacles {
  asker: Asker;
  /** Null: the address itself could not be read. */
  start: PageSurvey | null;
  /** A page asks for a password and shows nothing else. */
  signIn: boolean;
  candidates: readonly SourceCandidate[];
}

export function explain({ asker, start, signIn, candidates }: Obstacles): string[] {
  const refusals = asker.refusals();
  const notes: string[] = [];
  if (signIn || refusals.some(({ status }) => status === 401))
    notes.push('the site asks to sign in, so its pages cannot be read as a source; ask its owner for a public calendar');
  const closed = refusals.filter(({ code }) => code === 'robots');
  if (closed.length > 0) notes.push(robotsNote(closed));
  const busy = refusals.find(({ status }) => status === 429);
  if (busy) notes.push(`${hostOf(busy)} answers 429, too many requests; try again later`);
  const [first] = refusals;
  if (!start && first && notes.length === 0) notes.push(first.detail);
  for (const { url, detail } of refusals.filter(({ code }) => code === 'tls' || code === 'too_large'))
    if (!notes.includes(detail)) notes.push(`${detail}: ${url}`);
  if (refusals.some(({ code }) => code === 'spent')) notes.push(SPENT);
  if (start && candidates.length === 0) notes.push(NOTHING);
  return notes;
}

function robotsNote(closed: readonly AskRefusal[]): string {
  const [first] = closed;
  const paths = [...new Set(closed.map(({ url }) => new URL(url).pathname))].slice(0, MAX_PATHS).join(', ');
  return `the robots.txt of ${first ? hostOf(first) : 'the host'} keeps programs from ${paths}; if you may read it, add the source yourself`;
}

const hostOf = ({ url }: AskRefusal): string => new URL(url).host;
const SPENT = 'not everything was looked at: the requests or the time for one address are used up';
const NOTHING = 'no calendar was found: no events for machines, no calendar file and no known platform on the pages looked at';
const MAX_PATHS = 3;

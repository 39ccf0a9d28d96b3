/** `findSources`: the sources of events that a web address leads to. */

import { createAsker } from './ask-politely.ts';
import { webAddressOf } from './event-words.ts';
import { joinCandidates } from './join-candidates.ts';
import type { Finding, FindingContext } from './model.ts';
import { explain } from './obstacles.ts';
import { searchFrom } from './search.ts';

/**
 * Looks at the page, at what it links to and at the platforms that it names, and reads every calendar that they lead to. Never rejects for
 * anything that the site or the network does: `notes` says it.
 */
export async function findSources(address: string, context: FindingContext): Promise<Finding> {
  const starts = startsOf(address);
  const [first] = starts;
  if (first === undefined)
    return unreached(`wanted a web address such as example.org, got ${JSON.stringify(address.slice(0, MAX_PRINTED))}`);
  const checked = context.outbound.checkAddress(first);
  if (!checked.ok) return unreached(checked.reason);
  const asker = createAsker(context);
  const search = await searchFrom(starts, asker, context);
  const candidates = joinCandidates(search.read);
  const notes = explain(search, asker.refusals(), candidates);
  const isReached = search.start !== null || asker.refusals().some(({ status, code }) => status !== null || code === 'robots');
  return { candidates, notes, isReached, requests: asker.sent() };
}

/** The address as it may be meant: a name alone is tried over https first. Empty for what is none. */
function startsOf(address: string): string[] {
  const text = webAddressOf(address.trim());
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? [new URL(text).href] : [];
  const isName = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?(?:[/?#]|$)/u.test(text);
  if (!isName || !URL.canParse(`https://${text}`)) return [];
  return [new URL(`https://${text}`).href, new URL(`http://${text}`).href];
}

const unreached = (note: string): Finding => ({ candidates: [], notes: [note], isReached: false, requests: 0 });

/** For `openOutbound`: what a request of finding may take. */
export const FINDING_LIMITS = { bodyBytes: 5 * 1024 * 1024, codedBytes: 5 * 1024 * 1024, totalMs: 15_000 } as const;
const MAX_PRINTED = 100;

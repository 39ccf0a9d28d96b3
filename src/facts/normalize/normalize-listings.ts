/** Listings as they were read into normalized ones, each refusal with its reason. */

import type { ReadListing } from '../../providers/index.ts';
import type { Reject } from '../drafts.ts';
import type { NormalContext, NormalEvent, NormalVenue } from '../model.ts';
import { defaultsOf, type KnownDefaults } from './defaults.ts';
import { normalizeEvent, normalizeVenue } from './normalize-event.ts';

export interface NormalizedListings {
  /** One for each external id. */
  events: NormalEvent[];
  venues: NormalVenue[];
  /** External ids of listings that are there and were refused. */
  unreadable: ReadonlySet<string>;
  dropped: number;
  rejected: Reject[];
  rejectedCount: number;
  reasons: Record<string, number>;
}

/**
 * Of two listings with one external id the one whose content sorts first counts, whatever their order; the other is rejected.
 *
 * @param known what is known of defaults of the provider; absent: what the listings show.
 */
export function normalizeListings(
  listings: readonly ReadListing[],
  { city, known, ...rest }: Omit<NormalContext, 'defaults'> & { known?: KnownDefaults },
  onReject: ((reject: Reject) => void) | undefined,
): NormalizedListings {
  const places = listings.flatMap((read) => (read.ok === true && read.listing.target === 'events' ? [read.listing.event] : []));
  const context = { ...rest, city, defaults: defaultsOf(places, city, known) };
  const rejects = createRejections(context.sourceName, onReject);
  const events = createEventsById(rejects.add);
  const venues: NormalVenue[] = [];
  let dropped = 0;
  for (const read of listings) {
    const { index: line } = read;
    if (read.ok === 'dropped') dropped++;
    else if (!read.ok)
      rejects.addUnreadable(line, read.externalId, { code: 'unreadable', field: read.field, reason: read.reason });
    else if (read.listing.target === 'venues') {
      const result = normalizeVenue(read.listing.venue, context);
      if (result.ok) venues.push(result.venue);
      else rejects.add(line, result);
    } else {
      const { event: listing } = read.listing;
      const result = normalizeEvent(listing, context);
      if (result.ok) events.add(line, result.event);
      else rejects.addUnreadable(line, listing.externalId, result);
    }
  }
  return { events: events.list(), venues, dropped, ...rejects.read() };
}

interface Rejection {
  code: string;
  field: string | null;
  reason: string;
}

function createRejections(file: string, onReject: ((reject: Reject) => void) | undefined) {
  const rejects = collectRejects(onReject);
  const reasons: Record<string, number> = {};
  const unreadable = new Set<string>();

  function add(line: number, { code, field, reason }: Rejection): void {
    reasons[code] = (reasons[code] ?? 0) + 1;
    rejects.add({ file, line, field, reason });
  }

  return {
    add,
    /** The listing is there, though it is refused. */
    addUnreadable(line: number, externalId: string | null, rejection: Rejection): void {
      if (externalId !== null) unreadable.add(externalId);
      add(line, rejection);
    },
    read: () => ({ unreadable, rejected: rejects.kept, rejectedCount: rejects.count, reasons }),
  };
}

function createEventsById(reject: (line: number, rejection: Rejection) => void) {
  const events = new Map<string, { event: NormalEvent; line: number }>();
  return {
    add(line: number, event: NormalEvent): void {
      const entry = { event, line };
      const twin = events.get(event.externalId);
      if (!twin) {
        events.set(event.externalId, entry);
        return;
      }
      const [held, text] = [JSON.stringify(twin.event), JSON.stringify(event)];
      if (held === text) return;
      const loser = held < text ? entry : twin;
      if (loser === twin) events.set(event.externalId, entry);
      const reason = `${JSON.stringify(event.externalId)} is the id of another listing too`;
      reject(loser.line, { code: 'repeated', field: 'externalId', reason });
    },
    list: (): NormalEvent[] => [...events.values()].map(({ event }) => event),
  };
}

export interface Rejects {
  /** At most `MAX_KEPT_REJECTS`. */
  readonly kept: Reject[];
  readonly count: number;
  add(reject: Reject): void;
}

export function collectRejects(onReject: ((reject: Reject) => void) | undefined): Rejects {
  const kept: Reject[] = [];
  let count = 0;
  return {
    kept,
    get count() {
      return count;
    },
    add(reject) {
      count++;
      if (kept.length < MAX_KEPT_REJECTS) kept.push(reject);
      onReject?.(reject);
    },
  };
}

/** About 30 MB of reasons. */
const MAX_KEPT_REJECTS = 100_000;

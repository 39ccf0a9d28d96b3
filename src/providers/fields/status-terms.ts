/** Words for whether an event takes place, as programs write those of lists. */

import type { EventStatus } from '../../records/index.ts';

/**
 * `https://schema.org/EventCancelled/`, `schema:EventCancelled`, `EVENT_CANCELLED`, `Event cancelled` and `cancelled` are one word:
 * `cancelled`. Small letters and digits, without what stands before the last `/`, `#` or `:` and without a leading `event`.
 */
export function wordOfTerm(text: string): string {
  const bare = text.replace(/[/#\s]+$/, '');
  const name = bare.slice(Math.max(bare.lastIndexOf('/'), bare.lastIndexOf('#'), bare.lastIndexOf(':')) + 1);
  const word = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return word.replace(/^event(?=.)/, '');
}

/**
 * schema.org/EventStatusType and RFC 5545 §3.8.1.11. Of several terms the one that changes most counts: an event may be rescheduled and moved online at once.
 * Words of no list are left as they are: the normalizer knows them in more languages.
 */
export function readStatus(terms: readonly string[]): string | null {
  const statuses = terms.map((term) => STATUSES[wordOfTerm(term)]);
  return PRECEDENCE.find((status) => statuses.includes(status)) ?? terms[0] ?? null;
}

const STATUSES: Readonly<Record<string, EventStatus>> = {
  __proto__: null as never,
  scheduled: 'scheduled',
  confirmed: 'scheduled',
  movedonline: 'scheduled',
  rescheduled: 'rescheduled',
  postponed: 'postponed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  soldout: 'sold_out',
};
const PRECEDENCE: readonly EventStatus[] = ['cancelled', 'postponed', 'rescheduled', 'sold_out', 'scheduled'];

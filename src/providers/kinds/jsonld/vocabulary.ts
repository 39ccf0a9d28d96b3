/** Terms of schema.org's lists of values, in whatever form a page writes them. */

import type { EventStatus } from '../../../catalog/index.ts';
import { type Graph, get, idOf, isNode, listOf, textsOf } from './node.ts';

/** The texts of terms: plain, or the id or name of an object. */
export function termsOf(value: unknown, graph: Graph): string[] {
  return listOf(value).flatMap((each) => {
    const said = graph.resolve(each);
    if (!isNode(said) || '@value' in said) return textsOf(said);
    return [idOf(said) ?? '', ...textsOf(get(said, 'url')), ...textsOf(get(said, 'name'))]
      .filter((text) => text !== '')
      .slice(0, 1);
  });
}

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
 * schema.org/EventStatusType. Of several terms the one that changes most counts: an event may be rescheduled and moved online at once.
 * Words of no list are left as they are: the normalizer knows them in more languages.
 */
export function readStatus(terms: readonly string[]): string | null {
  const statuses = terms.map((term) => STATUSES[wordOfTerm(term)]);
  return PRECEDENCE.find((status) => statuses.includes(status)) ?? terms[0] ?? null;
}

/** schema.org/ItemAvailability: whether every offer that says so says that there are no more tickets. */
export function isSoldOut(terms: readonly string[]): boolean {
  return terms.length > 0 && terms.every((term) => SOLD_OUT.has(wordOfTerm(term)));
}

/** Whether nobody meets at the place any more. An event in both ways may say that it has moved online, too. */
export function hasLeftPlace(statusTerms: readonly string[], modeTerms: readonly string[]): boolean {
  const isMixed = modeTerms.some((term) => wordOfTerm(term).startsWith('mixed'));
  return !isMixed && statusTerms.some((term) => wordOfTerm(term) === 'movedonline');
}

/** schema.org/EventAttendanceModeEnumeration. */
export function isOnlineOnly(terms: readonly string[]): boolean {
  return terms.some((term) => ONLINE.has(wordOfTerm(term)));
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
};
const PRECEDENCE: readonly EventStatus[] = ['cancelled', 'postponed', 'rescheduled', 'scheduled'];
const SOLD_OUT: ReadonlySet<string> = new Set(['soldout', 'outofstock']);
const ONLINE: ReadonlySet<string> = new Set(['onlineeventattendancemode', 'online', 'onlineevent', 'onlineattendancemode']);

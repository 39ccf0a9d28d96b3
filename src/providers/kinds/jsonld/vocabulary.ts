/** Terms of schema.org's lists of values, in whatever form a page writes them. */

import { wordOfTerm } from '../../fields/status-terms.ts';
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

const SOLD_OUT: ReadonlySet<string> = new Set(['soldout', 'outofstock']);
const ONLINE: ReadonlySet<string> = new Set(['onlineeventattendancemode', 'online', 'onlineevent', 'onlineattendancemode']);

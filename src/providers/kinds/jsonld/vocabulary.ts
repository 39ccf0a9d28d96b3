/** Terms of schema.org's lists of values, in whatever form a page writes them. */

import type { Category } from '../../../records/index.ts';
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

/** Types of schema.org that are events, and the one category of ours that each of them leaves no doubt about. */
export function isEventType(name: string): boolean {
  return EVENT_TYPES.has(name) || (name.endsWith('Event') && !NO_GATHERINGS.has(name));
}

export function categoryOfType(name: string): Category | null {
  return EVENT_TYPES.get(name) ?? null;
}

const SOLD_OUT: ReadonlySet<string> = new Set(['soldout', 'outofstock']);
const ONLINE: ReadonlySet<string> = new Set(['onlineeventattendancemode', 'online', 'onlineevent', 'onlineattendancemode']);
/** schema.org/Event and its subtypes, version 29. A dance event may be a show or a night out, a screening anything. */
const EVENT_TYPES: ReadonlyMap<string, Category | null> = new Map<string, Category | null>([
  ['Event', null],
  ['BusinessEvent', null],
  ['ChildrensEvent', 'family'],
  ['ComedyEvent', 'comedy'],
  ['ConferenceEvent', null],
  ['CourseInstance', null],
  ['DanceEvent', null],
  ['EducationEvent', null],
  ['EventSeries', null],
  ['ExhibitionEvent', 'art'],
  ['Festival', 'festival'],
  ['FoodEvent', 'food'],
  ['Hackathon', null],
  ['LiteraryEvent', null],
  ['MusicEvent', 'concert'],
  ['PerformingArtsEvent', null],
  ['SaleEvent', null],
  ['ScreeningEvent', null],
  ['SocialEvent', null],
  ['SportsEvent', 'sports'],
  ['TheaterEvent', 'theater'],
  ['VisualArtsEvent', 'art'],
]);
/** Subtypes, present and past, at which nobody meets: broadcasts, deliveries and what users do on a page. */
const NO_GATHERINGS: ReadonlySet<string> = new Set(['PublicationEvent', 'BroadcastEvent', 'OnDemandEvent', 'DeliveryEvent']);

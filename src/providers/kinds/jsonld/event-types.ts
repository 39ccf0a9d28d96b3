/** Types of schema.org that are events, and the one category of ours that each of them leaves no doubt about. */

import type { Category } from '../../../catalog/index.ts';

export function isEventType(name: string): boolean {
  return EVENT_TYPES.has(name) || (name.endsWith('Event') && !NO_GATHERINGS.has(name));
}

export function categoryOfType(name: string): Category | null {
  return EVENT_TYPES.get(name) ?? null;
}

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

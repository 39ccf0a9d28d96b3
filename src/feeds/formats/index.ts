/** The door of the forms within the room. */

export {
  BYTE_ORDER_MARK,
  EVENT_FORMS,
  type EventFormName,
  VENUE_FORMS,
  type VenueFormName,
  withoutPoint,
  writeForm,
} from './forms.ts';
export { describeEventCalendar } from './icalendar.ts';
export { availabilityOf, geoOf } from './jsonld.ts';
export {
  type Form,
  type ListFacts,
  MAX_CALENDAR_EVENTS,
  type ServedEvent,
  type ServedVenue,
} from './model.ts';
export { type NewsChannel, type NewsItem, RSS_TYPE, renderNewsRss } from './rss.ts';

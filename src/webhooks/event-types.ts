/** The types of messages, as a table. docs/webhooks.md has the same table; a test compares both. */

export interface EventType {
  name: string;
  /** One sentence for people. */
  says: string;
  kind: EventTypeKind;
}

/** `record`: a change of the log. `query`: a record enters or leaves a saved query. `account`: what concerns the account itself. */
export type EventTypeKind = 'record' | 'query' | 'account';

export const EVENT_TYPES = [
  { name: 'event.created', says: 'An event was added.', kind: 'record' },
  { name: 'event.updated', says: 'Fields of an event changed.', kind: 'record' },
  { name: 'event.cancelled', says: 'An event was canceled.', kind: 'record' },
  { name: 'event.rescheduled', says: 'An event moved to another time.', kind: 'record' },
  { name: 'event.merged', says: 'An event was merged into another one.', kind: 'record' },
  {
    name: 'event.removed',
    says: 'An event was removed, or left the saved query of the endpoint. Then its reason is “filter”.',
    kind: 'record',
  },
  { name: 'event.scored', says: 'Only the score of an event changed. There are many of these.', kind: 'record' },
  { name: 'venue.created', says: 'A venue was added.', kind: 'record' },
  { name: 'venue.updated', says: 'Fields of a venue changed.', kind: 'record' },
  { name: 'venue.merged', says: 'A venue was merged into another one.', kind: 'record' },
  { name: 'venue.removed', says: 'A venue was removed.', kind: 'record' },
  { name: 'neighborhood.created', says: 'A neighborhood was added.', kind: 'record' },
  { name: 'neighborhood.updated', says: 'A neighborhood changed.', kind: 'record' },
  { name: 'neighborhood.removed', says: 'A neighborhood was removed.', kind: 'record' },
  { name: 'feed.matched', says: 'An event began to match the saved query of the endpoint.', kind: 'query' },
  { name: 'feed.unmatched', says: 'An event stopped matching the saved query of the endpoint.', kind: 'query' },
  { name: 'endpoint.disabled', says: 'Another endpoint of the account was disabled.', kind: 'account' },
  { name: 'quota.warning', says: 'A plan has used 80% or 100% of its requests of the day (UTC).', kind: 'account' },
  { name: 'key.expiring', says: 'A key that was replaced expires within 24 hours.', kind: 'account' },
  { name: 'export.ready', says: 'An export is ready for download.', kind: 'account' },
] as const satisfies readonly EventType[];

export type EventTypeName = (typeof EVENT_TYPES)[number]['name'];
export type AccountEventType = Extract<(typeof EVENT_TYPES)[number], { kind: 'account' }>['name'];

const EVENT_TYPE_NAMES: readonly string[] = EVENT_TYPES.map(({ name }) => name);
/** What an endpoint gets if nothing is chosen: all but the many. */
export const DEFAULT_EVENT_TYPES: readonly EventTypeName[] = EVENT_TYPES.map(({ name }) => name).filter(
  (name) => name !== 'event.scored',
);
export const isEventType = (name: string): name is EventTypeName => EVENT_TYPE_NAMES.includes(name);

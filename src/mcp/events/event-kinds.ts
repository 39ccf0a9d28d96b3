/** The types of MCP Events, as a table. docs/mcp.md has the same table. */

import type { ChangeKind } from '../../records/index.ts';
import type { JsonObject } from '../protocol/message.ts';

export interface EventKind {
  name: string;
  description: string;
  /** Of the change log. */
  kinds: readonly ChangeKind[];
  /** Only changes by which an event may have begun to match the filters. */
  isMatch?: true;
}

export const EVENT_KINDS: readonly EventKind[] = [
  { name: 'event.created', description: 'An event was added.', kinds: ['created'] },
  { name: 'event.updated', description: 'Facts of an event changed.', kinds: ['updated'] },
  { name: 'event.cancelled', description: 'An event was canceled.', kinds: ['cancelled'] },
  { name: 'event.rescheduled', description: 'An event moved to another time.', kinds: ['rescheduled'] },
  { name: 'event.merged', description: 'An event was merged into another one.', kinds: ['merged'] },
  { name: 'event.removed', description: 'An event was removed.', kinds: ['removed'] },
  {
    name: 'feed.matched',
    description: 'An event matches the filters because it was added or changed.',
    kinds: ['created', 'updated', 'rescheduled', 'cancelled'],
    isMatch: true,
  },
];

/** The filters of `GET /events`; a list or a text with commas means any of them. */
export const EVENT_INPUT: JsonObject = {
  type: 'object',
  description:
    'The filters of GET /events, such as category, neighborhood, venue_id, q, free, price_max, tags, start_date, end_date',
  additionalProperties: { type: ['string', 'number', 'boolean', 'array'] },
};

export const EVENT_PAYLOAD: JsonObject = {
  type: 'object',
  properties: {
    sequence: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
    kind: { type: 'string' },
    entity: { const: 'event' },
    id: { type: 'string', format: 'uuid' },
    fields: { type: 'array', items: { type: 'string' } },
    previous: { type: 'object' },
    record: { type: ['object', 'null'] },
    mergedInto: { type: 'string', format: 'uuid' },
  },
  required: ['sequence', 'at', 'kind', 'entity', 'id', 'fields', 'previous', 'record'],
};

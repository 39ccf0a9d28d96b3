/** JSON Schemas of the messages, one for each type. */

import { EVENT_TYPES, type EventType } from './event-types.ts';

/** One document; `$defs` has a schema for each type. `publicUrl` without a trailing slash. */
export function webhookSchemas(publicUrl: string): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${publicUrl}/docs/webhooks.json`,
    title: 'Webhook messages',
    oneOf: EVENT_TYPES.map(({ name }) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(EVENT_TYPES.map((type) => [type.name, schemaOf(type, publicUrl)])),
  };
}

function schemaOf(type: EventType, publicUrl: string): object {
  return {
    title: type.name,
    description: type.says,
    ...object({ type: { const: type.name }, timestamp: INSTANT, data: dataOf(type, publicUrl) }),
  };
}

function dataOf({ name, kind }: EventType, publicUrl: string): object {
  if (kind === 'account') return object(ACCOUNT_DATA[name] ?? {}, { test: TEST });
  const [entity = ''] = name.split('.');
  const shown = kind === 'query' ? 'event' : entity;
  return object(
    {
      sequence: NUMBER,
      sequences: { type: 'array', items: NUMBER, minItems: 1 },
      epoch: ID,
      kind: { enum: ['created', 'updated', 'cancelled', 'rescheduled', 'merged', 'removed', 'scored'] },
      entity: { const: shown },
      id: ID,
      fields: { type: 'array', items: { type: 'string' } },
    },
    {
      previous: { type: 'object' },
      record: { oneOf: [{ type: 'null' }, { $ref: `${publicUrl}/openapi.json#/components/schemas/${RECORDS[shown] ?? ''}` }] },
      mergedInto: ID,
      reason: { const: 'filter' },
      feedId: ID,
      test: TEST,
    },
  );
}

function object(required: Record<string, object>, optional: Record<string, object> = {}): object {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

const INSTANT = { type: 'string', format: 'date-time' };
const ID = { type: 'string', format: 'uuid' };
const NUMBER = { type: 'integer', minimum: 0 };
const TEXT = { type: 'string' };
const TEST = { const: true };
const RECORDS: Record<string, string> = { event: 'EventDetail', venue: 'VenueDetail', neighborhood: 'Neighborhood' };
const ACCOUNT_DATA: Record<string, Record<string, object>> = {
  'endpoint.disabled': { endpointId: ID, url: TEXT, reason: { enum: ['failing', 'gone', 'backlog'] } },
  'quota.warning': {
    plan: TEXT,
    percent: { enum: [80, 100] },
    used: NUMBER,
    limit: NUMBER,
    day: { type: 'string', format: 'date' },
  },
  'key.expiring': { keyId: TEXT, name: TEXT, expiresAt: INSTANT },
  'export.ready': { exportId: ID, rows: NUMBER, bytes: NUMBER },
};

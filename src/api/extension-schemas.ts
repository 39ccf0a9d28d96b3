/** Schemas of what is beside the lists: interpretations of free text, suggestions, exports. */

import { type TProperties, type TSchema, Type } from 'typebox';
import { EVENT_COLUMNS, EXPORT_FORMATS, REPEATS } from '../exports/index.ts';
import { ASK_KINDS, SUGGESTION_TYPES } from '../search/index.ts';

const closed = (properties: TProperties, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });
const place = Type.Integer({ minimum: 0, maximum: 200 });
const count = Type.Integer({ minimum: 0 });

export const interpretationSchema = closed(
  {
    parts: Type.Array(
      closed({
        kind: Type.Enum([...ASK_KINDS]),
        text: Type.String({ description: 'As it was typed.' }),
        from: place,
        to: place,
        means: Type.String({ description: 'What it was understood as.' }),
        parameters: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
          description: 'The parameters that ask for the same. Null: none do.',
        }),
        without: Type.String({ description: 'The text without this part.' }),
        overriddenBy: Type.Union([Type.String(), Type.Null()], {
          description: 'The parameter of the request that counts in its place.',
        }),
      }),
      { description: 'In the order of the text. `from` and `to` count code points; `to` is the first one behind the part.' },
    ),
    complete: Type.Integer({ minimum: 0, description: 'How many answers hold every word; the others follow them.' }),
    relaxations: Type.Array(closed({ without: Type.String(), ask: Type.String(), total: count }), {
      description: 'If nothing was found: what would be found without a part, the nearest first.',
      maxItems: 5,
    }),
  },
  { description: 'Only with `ask=`.' },
);

const nullableText = Type.Union([Type.String(), Type.Null()]);

export const suggestionListSchema = closed({
  data: Type.Array(
    closed({
      type: Type.Enum([...SUGGESTION_TYPES]),
      text: Type.String({ description: 'The name.' }),
      id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()], { description: 'Null for performers.' }),
      slug: nullableText,
      context: Type.Union([Type.String(), Type.Null()], {
        description: 'The venue of an event, the neighborhood of a venue, the event of a performer.',
      }),
    }),
    { maxItems: 10 },
  ),
  meta: closed({ total: count }),
});
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);

const id = Type.String({ format: 'uuid' });
const utcTime = Type.String({ format: 'date-time', description: 'UTC, with Z.' });
const link = Type.String({ format: 'uri' });
const format = Type.Enum([...EXPORT_FORMATS]);
const columns = nullable(
  Type.Array(Type.Enum([...EVENT_COLUMNS]), { description: 'Null: whole records, as `GET /events/{id}` answers them.' }),
);

const facts = {
  id,
  state: Type.Enum(['queued', 'running', 'ready', 'failed', 'cancelled', 'expired']),
  feedId: Type.Union([id, Type.Null()], { description: 'The saved query; null: everything.' }),
  format,
  columns,
  repeat: Type.Enum([...REPEATS]),
  isFull: Type.Union([Type.Boolean(), Type.Null()], { description: 'False: an increment. Null until it is written.' }),
  rows: nullable(count),
  bytes: nullable(count),
  queuedAt: utcTime,
  startedAt: nullable(utcTime),
  finishedAt: nullable(utcTime),
  expiresAt: Type.Union([utcTime, Type.Null()], { description: 'When the files are deleted.' }),
  error: nullable(Type.String()),
  waitingFor: Type.Union([Type.Literal('storage'), Type.Null()], {
    description: '`storage`: the file storage does not answer, and the export is tried again at `retryAt`.',
  }),
  retryAt: nullable(utcTime),
  manifestUrl: Type.Union([link, Type.Null()], {
    description: 'Needs no key and works for ten minutes; null until the export is ready.',
  }),
};

const city = closed({
  slug: Type.String(),
  name: Type.String(),
  timezone: Type.String(),
  currency: Type.String(),
  locale: Type.String(),
  center: closed({ latitude: Type.Number(), longitude: Type.Number() }),
});

const manifest = closed({
  epoch: id,
  sequence: count,
  generatedAt: utcTime,
  query: nullable(Type.String()),
  format,
  columns,
  city: nullable(city),
  credits: Type.Optional(Type.Array(Type.String())),
  rows: count,
  files: Type.Array(closed({ name: Type.String(), bytes: count, sha256: Type.String(), rows: count, url: link })),
  deleted: Type.Array(id),
  previous: nullable(closed({ id, epoch: id, sequence: count })),
  signature: closed({ algorithm: Type.Literal('ed25519'), keyId: Type.String(), value: Type.String() }),
});

export const exportSchema = closed(facts);
export const exportWithFilesSchema = closed({ ...facts, manifest: nullable(manifest) });

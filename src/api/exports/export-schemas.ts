/** The shapes of exports in the answers of the API. */

import { type TProperties, type TSchema, Type } from 'typebox';
import { EVENT_COLUMNS, EXPORT_FORMATS, REPEATS } from '../../exports/index.ts';

const closed = (properties: TProperties) => Type.Object(properties, { additionalProperties: false });
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);

const id = Type.String({ format: 'uuid' });
const utcTime = Type.String({ format: 'date-time', description: 'UTC, with Z.' });
const link = Type.String({ format: 'uri' });
const count = Type.Integer({ minimum: 0 });
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
  rows: count,
  files: Type.Array(closed({ name: Type.String(), bytes: count, sha256: Type.String(), rows: count, url: link })),
  deleted: Type.Array(id),
  previous: nullable(closed({ id, epoch: id, sequence: count })),
  signature: closed({ algorithm: Type.Literal('ed25519'), keyId: Type.String(), value: Type.String() }),
});

export const exportSchema = closed(facts);
export const exportWithFilesSchema = closed({ ...facts, manifest: nullable(manifest) });

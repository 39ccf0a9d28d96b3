/** Messages as they are stored: bytes that are signed and sent as they stand. */

import { randomUUIDv7 } from 'node:crypto';
import { changedFields, formatPrevious } from '../query/index.ts';
import type { ChangeEntity, ChangeKind, PreviousValues } from '../records/index.ts';
import type { RecordNow } from '../search/index.ts';
import type { CityTime } from '../values/city-time.ts';
import type { Payload } from './model.ts';

export interface Message {
  id: string;
  type: string;
  entityId: string | null;
  /** JSON without its two closing braces: all of a thin payload. */
  head: string;
  /** Members of `data` that a full payload has, too: empty, or with a comma before each. */
  body: string;
  /** Null for messages that are not of the log. */
  changes: RecordChanges | null;
}

/** Changes of one record that are one message. */
export interface RecordChanges {
  /** In order. */
  sequences: number[];
  kind: ChangeKind;
  /** When the last one was committed, milliseconds. */
  at: number;
  entity: ChangeEntity;
  /** Values before the first. */
  previous: PreviousValues;
}

/** `record`: as it is. `left`: it passes the filters of the endpoint no more. */
export type MessageForm = 'record' | 'left' | 'feed.matched' | 'feed.unmatched';

export interface MessageContext {
  epoch: string;
  city: CityTime;
  /** Without a trailing slash. */
  publicUrl: string;
}

/** `earlier` and `later` in one. What came and went again is told as gone. */
export function joinChanges(earlier: RecordChanges, later: RecordChanges): RecordChanges {
  const isMinor = later.kind === 'updated' || later.kind === 'scored';
  // A record that was created a moment ago is news as a whole, whatever became of its fields since.
  const isNew = earlier.kind === 'created' && later.kind !== 'removed' && later.kind !== 'merged';
  const kind = isNew || (isMinor && earlier.kind !== 'scored') ? earlier.kind : later.kind;
  const wasGone = earlier.kind === 'removed' || earlier.kind === 'merged';
  return {
    sequences: [...earlier.sequences, ...later.sequences],
    kind: wasGone ? later.kind : kind,
    at: later.at,
    entity: later.entity,
    previous: joinPrevious(earlier.previous, later.previous),
  };
}

function joinPrevious(earlier: PreviousValues, later: PreviousValues): PreviousValues {
  const both = Object.entries(earlier).map(([name, value]): [string, unknown] => {
    const newer = later[name];
    return [name, isObject(value) && isObject(newer) ? { ...newer, ...value } : value];
  });
  return { ...later, ...Object.fromEntries(both) };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

export interface RecordMessage {
  changes: RecordChanges;
  entityId: string;
  record: RecordNow;
  form: MessageForm;
  feedId: string | null;
}

export const typeOf = ({ changes: { entity, kind }, form }: Pick<RecordMessage, 'changes' | 'form'>): string =>
  form === 'left' ? `${entity}.removed` : form === 'record' ? `${entity}.${kind}` : form;

/** `record` holds exactly the bytes of the detail endpoint; `null` for a record that is gone. */
export function composeRecord(message: RecordMessage, { epoch, city, publicUrl }: MessageContext): Omit<Message, 'id'> {
  const { changes, entityId, record, form, feedId } = message;
  const { sequences, kind, at, entity, previous } = changes;
  const type = typeOf(message);
  const data = {
    sequence: sequences.at(-1),
    sequences,
    epoch,
    kind: form === 'left' ? 'removed' : kind,
    entity,
    id: entityId,
    fields: changedFields({ previous }),
    ...(form === 'left' && { reason: 'filter' }),
    ...(feedId !== null && { feedId }),
    ...(record.found === 'merged' && { mergedInto: record.into }),
  };
  const head = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data }).slice(0, -2);
  const json = form !== 'left' && record.found === 'published' ? record.json : 'null';
  const before = JSON.stringify(formatPrevious({ entity, previous }, { city, publicUrl }));
  return { type, entityId, head, body: `,"previous":${before},"record":${json}`, changes };
}

/** A message that is not of the log: its data is whole in either payload. */
export function composeData(type: string, data: object, at: number): Omit<Message, 'id'> {
  const json = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
  return { type, entityId: null, head: json.slice(0, -2), body: '', changes: null };
}

/** The bytes that are sent. */
export function payloadOf({ head, body }: Pick<Message, 'head' | 'body'>, payload: Payload): string {
  return `${head}${payload === 'full' ? body : ''}}}`;
}

/** `webhook-id`: the same on every attempt. */
export const messageIdOf = (id: string): string => `msg_${id}`;
export const newMessageId = (): string => randomUUIDv7();

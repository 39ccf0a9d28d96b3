/** Which endpoint gets which message of a page of changes. A pure function. */

import type { EventChoice } from '../../query/index.ts';
import type { LoggedChange, RecordNow, Snapshot } from '../../search/index.ts';
import { joinChanges, type MessageForm, type RecordChanges, type RecordMessage, typeOf } from '../messages.ts';
import type { Burst } from './bursts.ts';

export interface Subscriber {
  id: string;
  eventTypes: ReadonlySet<string>;
  /** Changes up to this number are not for it. */
  sinceSeq: number;
  feedId: string | null;
  /** Of the saved query; null: everything. */
  choice: EventChoice | null;
}

/** A delivery to an endpoint that was written a moment ago. */
export interface RecentDelivery {
  id: string;
  endpointId: string;
  entityId: string;
  type: string;
  changes: RecordChanges;
  /** Milliseconds. */
  createdAt: number;
  dueAt: number;
  /** It has not been tried, and may be replaced. */
  isHeld: boolean;
}

export interface PlannedDelivery {
  endpointId: string;
  message: RecordMessage;
  /** The same for all endpoints that get the same message. */
  key: string;
  dueAt: number;
  /** A delivery that this one takes the place of. */
  replaces: string | null;
}

export interface PlannedPage {
  deliveries: PlannedDelivery[];
  /** Who was told that which record enters or leaves: keys of `told` of the burst. */
  moved: string[];
}

interface Draft {
  endpointId: string;
  entityId: string;
  form: MessageForm;
  feedId: string | null;
  changes: RecordChanges;
  record: RecordNow;
}

export function planDeliveries(
  page: readonly LoggedChange[],
  subscribers: readonly Subscriber[],
  recent: readonly RecentDelivery[],
  burst: Burst,
  now: number,
): PlannedPage {
  const known = latestOf(recent);
  const moved = new Set<string>();
  const planned = subscribers.flatMap((subscriber) =>
    draftsFor(subscriber, page, burst, moved).map((draft) => {
      const place = placeOf(draft.endpointId, draft.entityId, draft.form);
      const earlier = known.get(place);
      // It is replaced once, by the first message of its record on this page.
      if (earlier?.isHeld) known.set(place, { ...earlier, isHeld: false });
      return earlier?.isHeld ? replace(earlier, draft) : planDelivery(draft, dueAfter(earlier, now), null);
    }),
  );
  // In the order of the log for every endpoint.
  const lastOf = ({ message: { changes } }: PlannedDelivery): number => changes.sequences.at(-1) ?? 0;
  return { deliveries: planned.sort((a, b) => lastOf(a) - lastOf(b)), moved: [...moved] };
}

/** By place. */
function latestOf(recent: readonly RecentDelivery[]): Map<string, RecentDelivery> {
  const latest = new Map<string, RecentDelivery>();
  for (const each of recent) {
    const place = placeOf(each.endpointId, each.entityId, each.type);
    const other = latest.get(place);
    if (!other || Number(other.id) < Number(each.id)) latest.set(place, each);
  }
  return latest;
}

const replace = ({ id, changes, dueAt }: RecentDelivery, draft: Draft): PlannedDelivery =>
  planDelivery({ ...draft, changes: joinChanges(changes, draft.changes) }, dueAt, id);

function planDelivery(
  { endpointId, entityId, form, feedId, changes, record }: Draft,
  dueAt: number,
  replaces: string | null,
): PlannedDelivery {
  const key = JSON.stringify([entityId, form, feedId, changes.kind, changes.sequences]);
  return { endpointId, message: { changes, entityId, record, form, feedId }, key, dueAt, replaces };
}

const dueAfter = (earlier: RecentDelivery | undefined, now: number): number =>
  earlier && now - earlier.createdAt < COALESCE_MS ? earlier.createdAt + COALESCE_MS : now;

/** Messages that may become one have one place: the type of a record's message may change when they do. */
const groupOf = (formOrType: string): string => (formOrType.startsWith('feed.') ? formOrType : 'record');
const placeOf = (endpointId: string, entityId: string, formOrType: string): string =>
  `${endpointId} ${entityId} ${groupOf(formOrType)}`;

/** The changes of one record are one message, unless seconds lie between them. Adds to `moved`. */
function draftsFor(subscriber: Subscriber, page: readonly LoggedChange[], burst: Burst, moved: Set<string>): Draft[] {
  const since = page.filter(({ seq }) => seq > subscriber.sinceSeq);
  const drafts: Draft[] = [];
  const open = new Map<string, Draft>();
  for (const change of since) {
    const { entityId, record } = change;
    if (entityId === null) continue;
    const move = `${subscriber.id} ${entityId}`;
    const forms = formsOf(change, subscriber, burst, moved.has(move) || burst.told.has(move));
    if (forms.some((form) => form.startsWith('feed.'))) moved.add(move);
    for (const form of forms) {
      const changes = changesOf(change);
      if (!subscriber.eventTypes.has(typeOf({ changes, form }))) continue;
      const key = `${entityId} ${groupOf(form)}`;
      const earlier = open.get(key);
      if (earlier && earlier.form === form && change.at - earlier.changes.at < COALESCE_MS) {
        earlier.changes = joinChanges(earlier.changes, changes);
        earlier.record = record;
        continue;
      }
      const draft = { endpointId: subscriber.id, entityId, form, feedId: subscriber.feedId, changes, record };
      open.set(key, draft);
      drafts.push(draft);
    }
  }
  return drafts;
}

function changesOf({ seq, kind, at, entity, previous = {} }: LoggedChange): RecordChanges {
  return { sequences: [seq], kind, at, entity, previous };
}

/** `isTold`: that it entered or left. A record that is gone is told of with each of its changes: the last one says how it went. */
function formsOf(change: LoggedChange, { choice }: Subscriber, { now, before }: Burst, isTold: boolean): MessageForm[] {
  if (choice === null) return ['record'];
  // A saved query is about events.
  if (change.entity !== 'event') return [];
  const isIn = change.record.found === 'published' && choice.holds(now, change.entityId ?? '');
  const wasIn = wasInQuery(change, choice, before, isIn);
  if (isIn) return wasIn || isTold ? ['record'] : ['record', 'feed.matched'];
  if (!wasIn) return [];
  if (change.record.found !== 'published') return isTold ? ['record'] : ['record', 'feed.unmatched'];
  return isTold ? [] : ['left', 'feed.unmatched'];
}

/** Whether the record passed the filters before the change. */
function wasInQuery(change: LoggedChange, choice: EventChoice, before: Snapshot | null, isIn: boolean): boolean {
  if (before) return choice.holds(before, change.entityId ?? '');
  // Where nobody knows what was before, what may have moved has moved: a message too many does no harm.
  if (isIn) return !choice.mayMove(change);
  return change.record.found !== 'published' || choice.mayLeave(change);
}

/** Changes of one record within this time become one message. */
const COALESCE_MS = 2_000;

/** Occurrences of MCP Events, read from the change log. */

import type { Clock } from '../../clock.ts';
import { type Cursor, formatChange, formatCursor, parseCursor, readEventChoice } from '../../query/index.ts';
import { type ChangeReader, type LoggedChange, LogUnavailableError, type SearchReader } from '../../search/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { McpError } from '../protocol/errors.ts';
import { type JsonObject, textOf } from '../protocol/message.ts';
import type { EventRequest } from './event-request.ts';

export interface Occurrence extends JsonObject {
  eventId: string;
  name: string;
  timestamp: string;
  data: JsonObject;
  cursor: string;
}

export interface OccurrencePage {
  events: Occurrence[];
  /** Everything before it was looked at. */
  cursor: Cursor;
  /** Something was left out: it is too old, or of another history of the log. */
  truncated: boolean;
  hasMore: boolean;
}

export interface ReadLimits {
  maxEvents: number;
  /** Directory time, milliseconds: older changes are left out. */
  notBefore: number;
}

export interface EventSource {
  /** The end of what is served now. Throws `McpError`. */
  head(): Promise<Cursor>;
  /**
   * `after` as the caller sent it; null: from now on. `notBefore`: directory time, milliseconds; a long way of older changes is skipped,
   * so that one request never reads the whole log. Throws `McpError`.
   */
  begin(after: unknown, notBefore: number | null): Promise<{ cursor: Cursor; truncated: boolean }>;
  read(request: EventRequest, after: Cursor, limits: ReadLimits): Promise<OccurrencePage>;
  /** Resolves when the log may hold more than `after`, when `ms` have passed, or soon after `isOver` says so. */
  wait(after: Cursor, ms: number, isOver: () => boolean): Promise<void>;
}

/** `publicUrl`: without a trailing slash. `now`: directory time, milliseconds. */
export function createEventSource(changes: ChangeReader, search: SearchReader, publicUrl: () => string, now: Clock): EventSource {
  const reachable = async <T>(work: Promise<T>): Promise<T> =>
    await work.catch((error: unknown) => {
      throw error instanceof LogUnavailableError ? new McpError('internal', 'the change log cannot be read right now') : error;
    });

  async function head(): Promise<Cursor> {
    const { epoch, history } = await reachable(changes.state());
    const snapshot = search.current();
    // Its numbers were lost. The read model loads again, which takes seconds.
    if (snapshot.history !== history) throw new McpError('internal', 'the change log cannot be read right now');
    return { epoch, sequence: snapshot.seq };
  }

  return {
    head,
    async begin(after, notBefore) {
      const end = await head();
      if (after === null || after === undefined) return { cursor: end, truncated: false };
      const cursor = parseCursor(textOf(after));
      if (!cursor) throw new McpError('invalid_params', 'cursor is not one that this server gave');
      const isOfThisLog = cursor.epoch === end.epoch && cursor.sequence <= Math.max(end.sequence, (await changes.state()).head);
      if (!isOfThisLog) return { cursor: end, truncated: true };
      if (notBefore === null || notBefore <= 0 || end.sequence - cursor.sequence <= MAX_SKIPPED)
        return { cursor, truncated: false };
      const sequence = Math.min(end.sequence, await reachable(changes.lastBefore(notBefore)));
      const isCut = sequence > cursor.sequence;
      return { cursor: isCut ? { epoch: cursor.epoch, sequence } : cursor, truncated: isCut };
    },
    async read({ kind, query }, after, { maxEvents, notBefore }) {
      const snapshot = search.current();
      const choice = query === '' ? null : readEventChoice(query, snapshot.city.timezone, now());
      const page = await reachable(
        changes.read({ after: after.sequence, limit: maxEvents, entities: EVENTS, kinds: kind.kinds, snapshot, heldOnly: true }),
      );
      const format = { city: createCityTime(snapshot.city.timezone), publicUrl: publicUrl() };
      const wanted = page.changes.filter((change) => {
        if (kind.isMatch) return choice ? choice.mayMove(change) && choice.holds(snapshot, change.entityId ?? '') : true;
        return choice === null || choice.sees(change, snapshot) === 'record';
      });
      const recent = wanted.filter(({ at }) => at >= notBefore);
      const toOccurrence = (change: LoggedChange): Occurrence => ({
        eventId: `evt_${page.epoch}_${change.seq}`,
        name: kind.name,
        timestamp: new Date(change.at).toISOString(),
        data: JSON.parse(formatChange(change, format)) as JsonObject,
        cursor: formatCursor({ epoch: page.epoch, sequence: change.seq }),
      });
      return {
        events: recent.map(toOccurrence),
        cursor: { epoch: page.epoch, sequence: page.reached },
        truncated: page.epoch !== after.epoch || recent.length < wanted.length,
        hasMore: page.hasMore,
      };
    },
    async wait({ sequence }, ms, isOver) {
      // What is committed and not served yet comes with the next snapshot.
      const deadline = performance.now() + ms;
      while (search.current().seq <= sequence && performance.now() < deadline && !isOver()) {
        await changes.waitBeyond(sequence, Math.min(deadline - performance.now(), LOOK_EVERY_MS), isOver);
        if (search.current().seq <= sequence) await new Promise((resolve) => setTimeout(resolve, SNAPSHOT_POLL_MS));
      }
    },
  };
}

const EVENTS = ['event'] as const;
/** Changes: so many are read one by one, however old they are. */
const MAX_SKIPPED = 1_000;
const LOOK_EVERY_MS = 5_000;
const SNAPSHOT_POLL_MS = 100;

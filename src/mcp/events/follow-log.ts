/** Follows the change log for one stream: tells what comes, and says now and then that the stream lives. */

import { setTimeout as delay } from 'node:timers/promises';
import { type Cursor, formatCursor } from '../../query/index.ts';
import { MCP_ERRORS, McpError } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/message.ts';
import type { EventRequest } from './event-request.ts';
import type { EventSource } from './event-source.ts';

interface Following {
  source: EventSource;
  request: EventRequest;
  notBefore: () => number;
  tell(name: string, params: JsonObject): void;
  /** Resolves when the caller has taken what was told, or has left: nobody's log is held in memory. */
  drained(): Promise<void>;
  isOver(): boolean;
  heartbeatMs: number;
}

/** Resolves when it is over. */
export async function followLog(from: Cursor, following: Following): Promise<void> {
  const { source, tell, drained, isOver, heartbeatMs } = following;
  let cursor = from;
  let spokeAt = performance.now();
  while (!isOver()) {
    const page = await readPage(cursor, following);
    cursor = page.cursor;
    await drained();
    if (page.told) spokeAt = performance.now();
    if (page.hasMore) continue;
    await source.wait(cursor, spokeAt + heartbeatMs - performance.now(), isOver);
    if (isOver() || performance.now() - spokeAt < heartbeatMs) continue;
    tell('heartbeat', { cursor: formatCursor(cursor) });
    spokeAt = performance.now();
  }
}

/** Tells what came. A log that cannot be read is told too, and asked again a little later. */
async function readPage(after: Cursor, { source, request, notBefore, tell, heartbeatMs }: Following) {
  try {
    const { events, cursor, truncated, hasMore } = await source.read(request, after, {
      maxEvents: MAX_EVENTS,
      notBefore: notBefore(),
    });
    for (const event of events) tell('event', event);
    // A gap is told as a new beginning.
    if (truncated) tell('active', { cursor: formatCursor(cursor), truncated });
    return { cursor, hasMore, told: events.length > 0 || truncated };
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    tell('error', { error: { code: MCP_ERRORS[error.errorName].code, message: error.message }, cursor: formatCursor(after) });
    await delay(heartbeatMs / 5);
    return { cursor: after, hasMore: false, told: true };
  }
}

export const MAX_EVENTS = 200;

/** `events/list`, `events/poll` and `events/stream` (MCP Events, SEP-3415). */

import { setTimeout as delay } from 'node:timers/promises';
import { type Cursor, formatCursor } from '../../api/index.ts';
import type { McpCall, McpMethods } from '../protocol/dispatcher.ts';
import { McpError } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/message.ts';
import { META } from '../protocol/revisions.ts';
import type { PlaceOf } from '../tools/tool-methods.ts';
import { DELIVERIES, EVENT_INPUT, EVENT_KINDS, EVENT_PAYLOAD } from './event-kinds.ts';
import { type EventRequest, readCount, readEventRequest } from './event-request.ts';
import type { EventSource } from './event-source.ts';
import { createStreamPlaces } from './stream-places.ts';

export interface EventMethodsOptions {
  source: EventSource;
  placeOf: PlaceOf;
  /** Ends all streams when it is aborted. */
  ending: AbortSignal;
  heartbeatMs?: number;
}

export function createEventMethods(options: EventMethodsOptions): McpMethods {
  const { source, placeOf, ending, heartbeatMs = HEARTBEAT_MS } = options;
  const takePlace = createStreamPlaces({ maxStreams: MAX_STREAMS, perAddress: MAX_STREAMS_OF_ADDRESS });

  function readRequest(call: McpCall): { request: EventRequest; maxAgeMs: number } {
    const { snapshot, now, opens } = placeOf(call);
    const request = readEventRequest(call.params, { timezone: snapshot.city.timezone, now });
    // The whole log is `GET /changes`, which needs Enterprise: decisions.
    const max = opens('enterprise') ? Number.MAX_SAFE_INTEGER : REPLAY_MS;
    return { request, maxAgeMs: readCount(call.params, 'maxAgeMs', { min: 0, max, fallback: max }) };
  }

  async function poll(call: McpCall): Promise<JsonObject> {
    const { request, maxAgeMs } = readRequest(call);
    const maxEvents = readCount(call.params, 'maxEvents', { min: 1, max: MAX_EVENTS, fallback: 100 });
    const begun = await source.begin(call.params.cursor);
    const page = await source.read(request, begun.cursor, { maxEvents, maxAgeMs });
    return {
      events: page.events,
      cursor: formatCursor(page.cursor),
      truncated: begun.truncated || page.truncated,
      hasMore: page.hasMore,
      nextPollMs: page.hasMore ? 0 : NEXT_POLL_MS,
    };
  }

  async function stream(call: McpCall): Promise<JsonObject> {
    const { request, maxAgeMs } = readRequest(call);
    const begun = await source.begin(call.params.cursor);
    const leave = takePlace(call.caller.address);
    const tell = (name: string, params: JsonObject) => {
      const _meta = { [META.subscription]: call.id };
      call.send({ jsonrpc: '2.0', method: `notifications/events/${name}`, params: { ...params, _meta } });
    };
    const left = call.watch();
    const isOver = () => left.aborted || ending.aborted;
    try {
      tell('active', { cursor: formatCursor(begun.cursor), truncated: begun.truncated });
      await follow(begun.cursor, { request, maxAgeMs, tell, isOver });
    } finally {
      leave();
    }
    return {};
  }

  async function follow(from: Cursor, following: Following): Promise<void> {
    const { tell, isOver } = following;
    let cursor = from;
    let spokeAt = performance.now();
    while (!isOver()) {
      const page = await readPage(cursor, following);
      cursor = page.cursor;
      if (page.told) spokeAt = performance.now();
      if (page.hasMore) continue;
      await source.wait(cursor, spokeAt + heartbeatMs - performance.now(), isOver);
      if (isOver() || performance.now() - spokeAt < heartbeatMs) continue;
      tell('heartbeat', { cursor: formatCursor(cursor) });
      spokeAt = performance.now();
    }
  }

  /** Tells what came. A log that cannot be read is told too, and asked again a little later. */
  async function readPage(after: Cursor, { request, maxAgeMs, tell }: Following) {
    try {
      const { events, cursor, truncated, hasMore } = await source.read(request, after, { maxEvents: MAX_EVENTS, maxAgeMs });
      for (const event of events) tell('event', event);
      // A gap is told as a new beginning.
      if (truncated) tell('active', { cursor: formatCursor(cursor), truncated });
      return { cursor, hasMore, told: events.length > 0 || truncated };
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      tell('error', { message: error.message, cursor: formatCursor(after) });
      await delay(heartbeatMs / 5);
      return { cursor: after, hasMore: false, told: true };
    }
  }

  const listed = EVENT_KINDS.map(({ name, description }) => ({
    ...{ name, description, delivery: DELIVERIES, inputSchema: EVENT_INPUT, payloadSchema: EVENT_PAYLOAD },
  }));
  return {
    'events/list': { era: 'current', cache: { ttlMs: 3_600_000, cacheScope: 'public' }, run: () => ({ events: listed }) },
    'events/poll': { era: 'current', cost: () => 1, run: poll },
    'events/stream': { era: 'current', cost: () => 1, streams: true, run: stream },
  };
}

interface Following {
  request: EventRequest;
  maxAgeMs: number;
  tell(name: string, params: JsonObject): void;
  isOver(): boolean;
}

/** SEP-3415 wants at least one every 30 s. */
const HEARTBEAT_MS = 20_000;
const NEXT_POLL_MS = 15_000;
const MAX_EVENTS = 200;
const MAX_STREAMS = 500;
const MAX_STREAMS_OF_ADDRESS = 20;
/** How far back callers without an Enterprise key may begin. */
const REPLAY_MS = 86_400_000;

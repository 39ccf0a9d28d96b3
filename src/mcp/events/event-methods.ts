/** `events/list`, `events/poll` and `events/stream` (MCP Events, SEP-3415). */

import { setTimeout as delay } from 'node:timers/promises';
import { type Cursor, formatCursor } from '../../query/index.ts';
import { hostNetwork, siteNetwork } from '../../values/ip-network.ts';
import type { McpCall, McpCaller, McpMethods } from '../protocol/dispatcher.ts';
import { MCP_ERRORS, McpError } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/message.ts';
import { META } from '../protocol/revisions.ts';
import type { PlaceOf } from '../tools/tool-methods.ts';
import { EVENT_INPUT, EVENT_KINDS, EVENT_PAYLOAD } from './event-kinds.ts';
import { type EventRequest, readCount, readRequest } from './event-request.ts';
import type { EventSource } from './event-source.ts';

export interface EventStreamOptions {
  /** How often a stream that has nothing to tell says so; 20 s unless told. */
  heartbeatMs?: number | undefined;
  /** `STREAM_LIMITS` unless told. */
  streamLimits?: StreamLimits | undefined;
}

/** `delivery`: how occurrences can be had. `ending`: ends all streams when it is aborted. */
export function createEventMethods(
  source: EventSource,
  placeOf: PlaceOf,
  delivery: readonly string[],
  { heartbeatMs = HEARTBEAT_MS, streamLimits = STREAM_LIMITS, ending }: EventStreamOptions & { ending: AbortSignal },
): McpMethods {
  const takePlace = createStreamPlaces(streamLimits);

  async function poll(call: McpCall): Promise<JsonObject> {
    const { request, notBefore } = readRequest(call.params, placeOf(call));
    const maxEvents = readCount(call.params, 'maxEvents', { min: 1, max: MAX_EVENTS, fallback: 100 });
    const begun = await source.begin(call.params.cursor, notBefore);
    const page = await source.read(request, begun.cursor, { maxEvents, notBefore });
    return {
      events: page.events,
      cursor: formatCursor(page.cursor),
      truncated: begun.truncated || page.truncated,
      hasMore: page.hasMore,
      nextPollMs: page.hasMore ? 0 : NEXT_POLL_MS,
    };
  }

  async function stream(call: McpCall): Promise<JsonObject> {
    const { request, maxAgeMs } = readRequest(call.params, placeOf(call));
    const notBefore = () => placeOf(call).now - maxAgeMs;
    const begun = await source.begin(call.params.cursor, notBefore());
    const leave = takePlace(call.caller);
    const tell = (name: string, params: JsonObject) => {
      const _meta = { [META.subscription]: call.id };
      call.send({ jsonrpc: '2.0', method: `notifications/events/${name}`, params: { ...params, _meta } });
    };
    const left = call.watch();
    const { drained } = call;
    const isOver = () => left.aborted || ending.aborted;
    try {
      tell('active', { cursor: formatCursor(begun.cursor), truncated: begun.truncated });
      await followLog(begun.cursor, { source, request, notBefore, tell, drained, isOver, heartbeatMs });
    } finally {
      leave();
    }
    return {};
  }

  const listed = EVENT_KINDS.map(({ name, description }) => ({
    name,
    description,
    delivery,
    inputSchema: EVENT_INPUT,
    payloadSchema: EVENT_PAYLOAD,
  }));
  return {
    'events/list': { era: 'current', cache: { ttlMs: 3_600_000, cacheScope: 'public' }, run: () => ({ events: listed }) },
    'events/poll': { era: 'current', cost: () => 1, run: poll },
    'events/stream': { era: 'current', cost: () => 1, streams: true, run: stream },
  };
}

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
async function followLog(from: Cursor, following: Following): Promise<void> {
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

/**
 * How many streams may be open. Callers without a key and keys have places of their own, so that nobody without a key takes one of a key.
 *
 *     without a key   all ─► site (/48, IPv4: /24) ─► network (/64, IPv4: the address)
 *     with a key      all ─► account
 */
export interface StreamLimits {
  withoutKey: number;
  ofSite: number;
  ofNetwork: number;
  withKey: number;
  ofAccount: number;
}

/** What it gives throws `McpError`, or gives what closes the place again. */
export function createStreamPlaces(limits: StreamLimits): (caller: McpCaller) => () => void {
  const open = new Map<string, number>();

  function add(name: string, change: 1 | -1): void {
    const count = (open.get(name) ?? 0) + change;
    if (count > 0) open.set(name, count);
    else open.delete(name);
  }

  return (caller) => {
    const groups = groupsOf(caller, limits);
    const full = groups.find(({ name, max }) => (open.get(name) ?? 0) >= max);
    if (full) throw new McpError('event_exhausted', 'too many streams are open', { limit: 'streams', max: full.max });
    for (const { name } of groups) add(name, 1);
    return () => {
      for (const { name } of groups) add(name, -1);
    };
  };
}

/** All that a stream counts for, the smallest first. */
function groupsOf({ kind, accountId, address }: McpCaller, limits: StreamLimits): { name: string; max: number }[] {
  if (kind !== 'anonymous') {
    return [
      { name: `account ${accountId ?? kind}`, max: limits.ofAccount },
      { name: 'with a key', max: limits.withKey },
    ];
  }
  return [
    { name: `network ${hostNetwork(address)}`, max: limits.ofNetwork },
    { name: `site ${siteNetwork(address)}`, max: limits.ofSite },
    { name: 'without a key', max: limits.withoutKey },
  ];
}

/** SEP-3415 wants at least one every 30 s. */
const HEARTBEAT_MS = 20_000;
const NEXT_POLL_MS = 15_000;
const MAX_EVENTS = 200;
/** Of one process. A site has a fifth of what all sites share: no customer of a provider alone crowds out others. */
export const STREAM_LIMITS: StreamLimits = {
  withoutKey: 250,
  ofSite: 50,
  ofNetwork: 20,
  withKey: 250,
  ofAccount: 20,
};

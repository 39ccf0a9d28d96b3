/** The MCP server behind HTTP: methods, dispatcher, admission, endpoint. */

import type { Gate } from '../accounts/index.ts';
import type { Observe } from '../api/index.ts';
import type { Clocks } from '../clock.ts';
import type { Log } from '../log.ts';
import type { ChangeReader, SearchReader } from '../search/index.ts';
import type { DrawnAreas } from '../values/draw-areas.ts';
import { createDirectoryAge } from './directory-age.ts';
import type { StreamLimits } from './events/stream-places.ts';
import { createMcpAdmission } from './http/admission.ts';
import { createMcpEndpoint, type McpHandler } from './http/endpoint.ts';
import { createMcpLimiter, MCP_LIMITS, type McpLimits } from './http/mcp-limits.ts';
import { createMcpServer } from './mcp-server.ts';
import { createDispatcher, type McpTable } from './protocol/dispatcher.ts';
import type { EventSubscriptions } from './subscriptions/subscriptions.ts';

export interface OpenMcpOptions {
  search: SearchReader;
  changes: ChangeReader;
  gate: Gate;
  /** Without a trailing slash. */
  publicUrl: () => string;
  clocks: Clocks;
  observe: Observe;
  log: Log;
  /** When the directory changed last, milliseconds. */
  loadChangedAt(): Promise<number | null>;
  /** See `loadCityMap`. */
  loadMap(): Promise<DrawnAreas | null>;
  limits?: Partial<McpLimits>;
  heartbeatMs?: number;
  /** `STREAM_LIMITS` unless told. */
  streamLimits?: StreamLimits;
  subscriptions?: EventSubscriptions;
  /** In place of the directory's: for tests of the protocol. */
  table?: McpTable;
}

export interface OpenedMcp {
  handler: McpHandler;
  /** Ends all streams; call it before connections are drained. */
  close(): void;
}

export function openMcp(options: OpenMcpOptions): OpenedMcp {
  const {
    search,
    changes,
    gate,
    publicUrl,
    clocks,
    observe,
    log,
    limits = {},
    heartbeatMs,
    streamLimits,
    subscriptions,
    loadMap,
  } = options;
  const ending = new AbortController();
  const changedAt = createDirectoryAge(options.loadChangedAt, () => search.current().seq);
  const table =
    options.table ??
    createMcpServer({
      ...{
        search,
        changes,
        publicUrl,
        now: clocks.directory,
        changedAt,
        ending: ending.signal,
        streamLimits,
        subscriptions,
        loadMap,
      },
      ...(heartbeatMs !== undefined && { heartbeatMs }),
    });
  const dispatcher = createDispatcher(table, (err, method) => log.error({ err, method }, 'an MCP method failed'));
  const limiter = createMcpLimiter({ ...MCP_LIMITS, ...limits });
  const admit = createMcpAdmission(gate, limiter, publicUrl);
  return {
    handler: createMcpEndpoint({ dispatcher, admit, publicUrl, now: clocks.limits, observe }),
    close: () => ending.abort(),
  };
}

/** The ways on which requests come in: to the API, to the MCP server, to feeds that have not changed, and to the main thread. */

import type { Api } from '../../api/index.ts';
import type { HostGuard } from '../../http/index.ts';
import type { Connections } from '../connections/connections.ts';
import { createApiEntry, type EnterApi } from './api-entry.ts';
import type { CallerFacts } from './caller-facts.ts';
import { createForwardEntry, type OpenTunnel } from './forward-entry.ts';
import { createMcpEntry, type DirectHandler, type EnterMcp } from './mcp-entry.ts';
import type { ObservedRefusals } from './observed-refusals.ts';
import { createRequestEntry, type RequestEntry } from './request-entry.ts';
import type { ServiceState } from './service-state.ts';
import { createUnchangedFeeds, type UnchangedFeeds } from './unchanged-feeds.ts';

export interface EntriesOptions {
  api: Api;
  mcp: DirectHandler | undefined;
  /** Only of a thread that answers the API alone. */
  openTunnel: OpenTunnel | undefined;
  connections: Connections;
  service: ServiceState;
  checkHost: HostGuard;
  refusals: ObservedRefusals;
  callerFacts: CallerFacts;
  newRequestId: () => string;
  maxRequestsPerSocket: number;
  closeIdle(): void;
}

export interface Entries {
  /** Chooses among the others. */
  entry: RequestEntry;
  enterApi: EnterApi;
  /** Null: this process has no MCP server. */
  enterMcp: EnterMcp | null;
  unchangedFeeds: UnchangedFeeds;
}

export function createEntries(options: EntriesOptions): Entries {
  const { api, mcp, openTunnel, connections, service, checkHost, refusals, callerFacts, newRequestId, maxRequestsPerSocket } =
    options;
  const enterApi = createApiEntry(api, connections, service, maxRequestsPerSocket);
  const unchangedFeeds = createUnchangedFeeds({
    api,
    connections,
    service,
    checkHost,
    callerFacts,
    newRequestId,
    maxRequestsPerSocket,
  });
  const enterMcp = mcp ? createMcpEntry({ handler: mcp, connections, service, checkHost, refusals, maxRequestsPerSocket }) : null;
  const forward = openTunnel
    ? createForwardEntry({ openTunnel, connections, service, maxRequestsPerSocket, closeIdle: options.closeIdle })
    : null;
  const entry = createRequestEntry({
    begin: api.begin,
    connections,
    enterApi,
    enterMcp,
    unchangedFeeds,
    refusals,
    callerFacts,
    newRequestId,
    forward,
  });
  return { entry, enterApi, enterMcp, unchangedFeeds };
}

/** The MCP server as a table of methods over the read model. Transports ask it through a dispatcher: HTTP here, streams in `serve-stdio.ts`. */

import { type Gate, tierOpens } from '../accounts/index.ts';
import type { Observe } from '../api/index.ts';
import type { Clocks } from '../clock.ts';
import type { Log } from '../log.ts';
import type { ChangeReader, SearchReader } from '../search/index.ts';
import { type CityTime, createCityTime } from '../values/city-time.ts';
import type { DrawnAreas } from '../values/draw-areas.ts';
import { createEventApp } from './event-app.ts';
import { createEventMethods, type EventStreamOptions } from './events/event-methods.ts';
import { createEventSource } from './events/event-source.ts';
import { createMcpAdmission } from './http/admission.ts';
import { createMcpEndpoint, type McpHandler } from './http/endpoint.ts';
import { createExchangeWriter } from './http/exchange.ts';
import { createMcpLimiter, MCP_LIMITS, type McpLimits } from './http/mcp-limits.ts';
import { PROMPT_METHODS } from './prompt-methods.ts';
import { createDispatcher, type McpCaller, type McpMethods, type McpTable } from './protocol/dispatcher.ts';
import type { JsonObject } from './protocol/message.ts';
import { OLDER_REVISIONS, REVISIONS } from './protocol/revisions.ts';
import { createResourceMethods } from './resource-methods.ts';
import { INSTRUCTIONS, SERVER_NAME, SERVER_TITLE, VERSION } from './server-facts.ts';
import { createSubscriptionMethods, type EventSubscriptions } from './subscriptions/subscriptions.ts';
import type { ToolPlace } from './tools/tool.ts';
import { createToolMethods } from './tools/tool-methods.ts';
import { MCP_TOOLS } from './tools/tools.ts';

export interface McpServerOptions extends EventStreamOptions {
  search: SearchReader;
  changes: ChangeReader;
  /** Without a trailing slash. */
  publicUrl: () => string;
  clocks: Clocks;
  /** When the directory changed last, milliseconds. */
  loadChangedAt(): Promise<number | null>;
  /** See `loadCityMap`. */
  loadMap(): Promise<DrawnAreas | null>;
  /** Absent where nobody could send: without HTTP. */
  subscriptions?: EventSubscriptions;
}

export interface OpenMcpOptions extends McpServerOptions {
  gate: Gate;
  observe: Observe;
  log: Log;
  limits?: Partial<McpLimits>;
  /** In place of the directory's: for tests of the protocol. */
  table?: McpTable;
}

export interface OpenedMcp {
  handler: McpHandler;
  /** Ends all streams; call it before connections are drained. */
  close(): void;
}

/** The server behind HTTP. */
export function openMcp(options: OpenMcpOptions): OpenedMcp {
  const { gate, publicUrl, clocks, observe, log, limits } = options;
  const ending = new AbortController();
  const table = options.table ?? createMcpServer(options, ending.signal);
  const dispatcher = createDispatcher(table, (err, method) => log.error({ err, method }, 'an MCP method failed'));
  const admit = createMcpAdmission(gate, createMcpLimiter({ ...MCP_LIMITS, ...limits }), publicUrl);
  const writer = createExchangeWriter(observe, clocks.limits);
  return { handler: createMcpEndpoint(dispatcher, admit, writer, publicUrl), close: () => ending.abort() };
}

/** `ending`: ends all streams when it is aborted. */
export function createMcpServer(options: McpServerOptions, ending: AbortSignal): McpTable {
  const { search, changes, publicUrl, clocks, subscriptions } = options;
  const now = clocks.directory;
  const changedAt = createDirectoryAge(options.loadChangedAt, () => search.current().seq);
  let city: CityTime | null = null;

  function placeOf({ caller }: { caller: McpCaller }): ToolPlace {
    const snapshot = search.current();
    const { timezone } = snapshot.city;
    if (city?.timezone !== timezone) city = createCityTime(timezone);
    const opens: ToolPlace['opens'] = (tier) => caller.kind === 'local' || (caller.tier !== null && tierOpens(caller.tier, tier));
    return { snapshot, city, now: now(), publicUrl: publicUrl(), changedAt: changedAt(), opens };
  }

  const source = createEventSource(changes, search, publicUrl, now);
  const delivery = subscriptions ? ['poll', 'push', 'webhook'] : ['poll', 'push'];
  const serverInfo = { name: SERVER_NAME, title: SERVER_TITLE, version: VERSION, websiteUrl: publicUrl() };
  return {
    serverInfo,
    methods: {
      ...createServerMethods({ serverInfo, instructions: INSTRUCTIONS, capabilities: CAPABILITIES }),
      ...createToolMethods(MCP_TOOLS, placeOf),
      ...createResourceMethods(placeOf, [createEventApp(options.loadMap)]),
      ...PROMPT_METHODS,
      ...createEventMethods(source, placeOf, delivery, { ...options, ending }),
      ...(subscriptions && createSubscriptionMethods(subscriptions, source, placeOf)),
    },
  };
}

interface ServerDescription {
  serverInfo: JsonObject;
  instructions: string;
  capabilities: JsonObject;
}

/** Methods that tell what the server is: `server/discover`, and `initialize` of the older revisions. */
export function createServerMethods({ serverInfo, instructions, capabilities }: ServerDescription): McpMethods {
  return {
    'server/discover': {
      era: 'current',
      cache: { ttlMs: 3_600_000, cacheScope: 'public' },
      run: () => ({ supportedVersions: REVISIONS, capabilities, serverInfo, instructions }),
    },
    initialize: {
      era: 'older',
      run({ params: { protocolVersion } }) {
        const known = OLDER_REVISIONS.find((revision) => revision === protocolVersion);
        return { protocolVersion: known ?? OLDER_REVISIONS[0], capabilities, serverInfo, instructions };
      },
    },
    ping: { era: 'older', run: () => ({}) },
  };
}

/**
 * When the directory changed last, as of a moment ago: read beside the requests, never by one that waits. Milliseconds, null before it is
 * known. `seq`: the number of the last change that is served; what was read is good until it grows.
 */
function createDirectoryAge(load: () => Promise<number | null>, seq: () => number): () => number | null {
  let changedAt: number | null = null;
  let readAt = -1;
  let isReading = false;

  function read(wanted: number): void {
    isReading = true;
    load()
      .then((at) => {
        changedAt = at;
        readAt = wanted;
      })
      // Without the store the answers say nothing of it.
      .catch(() => undefined)
      .finally(() => {
        isReading = false;
      });
  }

  return () => {
    const wanted = seq();
    if (!isReading && wanted !== readAt) read(wanted);
    return changedAt;
  };
}

/** Lists never change while the server runs: nothing about them is announced. */
const CAPABILITIES = {
  ...{ tools: {}, resources: {}, prompts: {}, completions: {} },
  // The form of the draft beside the one of the extension.
  events: {},
  extensions: { 'io.modelcontextprotocol/events': {}, 'io.modelcontextprotocol/ui': {} },
};

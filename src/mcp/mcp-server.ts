/** The MCP server as a table of methods over the read model. Transports ask it through a dispatcher. */

import { tierOpens } from '../accounts/index.ts';
import type { ChangeReader, SearchReader } from '../search/index.ts';
import { type CityTime, createCityTime } from '../values/city-time.ts';
import type { DrawnAreas } from '../values/draw-areas.ts';
import { createEventApp } from './event-app.ts';
import { createEventMethods } from './events/event-methods.ts';
import { createEventSource } from './events/event-source.ts';
import type { StreamLimits } from './events/stream-places.ts';
import { createPromptMethods } from './prompt-methods.ts';
import type { McpCaller, McpMethods, McpTable } from './protocol/dispatcher.ts';
import type { JsonObject } from './protocol/message.ts';
import { OLDER_REVISIONS, REVISIONS } from './protocol/revisions.ts';
import { createResourceMethods } from './resource-methods.ts';
import { INSTRUCTIONS, SERVER_NAME, SERVER_TITLE, VERSION } from './server-facts.ts';
import { createSubscriptionMethods } from './subscriptions/subscription-methods.ts';
import type { EventSubscriptions } from './subscriptions/subscriptions.ts';
import type { ToolPlace } from './tools/tool.ts';
import { createToolMethods } from './tools/tool-methods.ts';
import { MCP_TOOLS } from './tools/tools.ts';

export interface McpServerOptions {
  search: SearchReader;
  /** Without a trailing slash. */
  publicUrl: () => string;
  /** Directory time, milliseconds. */
  now: () => number;
  /** When the directory changed last, milliseconds; null before it is known. */
  changedAt: () => number | null;
  changes: ChangeReader;
  /** See `loadCityMap`. */
  loadMap(): Promise<DrawnAreas | null>;
  /** Ends all streams when it is aborted. */
  ending: AbortSignal;
  /** How often a stream that has nothing to tell says so; 20 s unless told. */
  heartbeatMs?: number;
  /** `STREAM_LIMITS` unless told. */
  streamLimits?: StreamLimits | undefined;
  /** Absent where nobody could send: without HTTP. */
  subscriptions?: EventSubscriptions | undefined;
}

export function createMcpServer(options: McpServerOptions): McpTable {
  const { search, publicUrl, now, changedAt, changes, ending, heartbeatMs, streamLimits, subscriptions, loadMap } = options;
  let city: CityTime | null = null;

  function placeOf({ caller }: { caller: McpCaller }): ToolPlace {
    const snapshot = search.current();
    const { timezone } = snapshot.city;
    if (city?.timezone !== timezone) city = createCityTime(timezone);
    const opens: ToolPlace['opens'] = (tier) => caller.kind === 'local' || (caller.tier !== null && tierOpens(caller.tier, tier));
    return { snapshot, city, now: now(), publicUrl: publicUrl(), changedAt: changedAt(), opens };
  }

  const source = createEventSource({ changes, search, publicUrl, now });
  const delivery = subscriptions ? ['poll', 'push', 'webhook'] : ['poll', 'push'];
  const serverInfo = { name: SERVER_NAME, title: SERVER_TITLE, version: VERSION, websiteUrl: publicUrl() };
  return {
    serverInfo,
    methods: {
      ...createServerMethods({ serverInfo, instructions: INSTRUCTIONS, capabilities: CAPABILITIES }),
      ...createToolMethods(MCP_TOOLS, placeOf),
      ...createResourceMethods(placeOf, [createEventApp(loadMap)]),
      ...createPromptMethods(),
      ...createEventMethods({
        source,
        placeOf,
        ending,
        delivery,
        streamLimits,
        ...(heartbeatMs !== undefined && { heartbeatMs }),
      }),
      ...(subscriptions && createSubscriptionMethods({ subscriptions, source, placeOf })),
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

/** Lists never change while the server runs: nothing about them is announced. */
const CAPABILITIES = {
  ...{ tools: {}, resources: {}, prompts: {}, completions: {} },
  // The form of the draft beside the one of the extension.
  events: {},
  extensions: { 'io.modelcontextprotocol/events': {}, 'io.modelcontextprotocol/ui': {} },
};

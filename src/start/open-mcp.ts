/** Opens the MCP server of this process. */

import type { Gate } from '../accounts/index.ts';
import type { Api } from '../api/index.ts';
import { loadLastChangeTime } from '../catalog/index.ts';
import type { Context } from '../context.ts';
import { loadCityMap } from '../embeds/index.ts';
import { createEventSubscriptions, type OpenedMcp, openMcp } from '../mcp/index.ts';
import { openOutbound } from '../outbound/index.ts';
import type { ChangeReader, Search } from '../search/index.ts';
import type { Store } from '../store/index.ts';
import { createSeal, WEBHOOK_LIMITS } from '../webhooks/index.ts';

export interface McpParts {
  store: Store;
  /** See `readSecret`. */
  secret: string;
  search: Search;
  changes: ChangeReader;
  gate: Gate;
  api: Api;
}

export function openMcpServer({ config, log }: Context, parts: McpParts): OpenedMcp & { closeOutbound(): Promise<void> } {
  const { store, secret, search, changes, gate, api } = parts;
  const { allowedHosts, clocks } = config;
  const outbound = openOutbound({ allowedHosts, limits: WEBHOOK_LIMITS, now: clocks.limits });
  const subscriptions = createEventSubscriptions({
    ...{ db: store.db, now: clocks.limits, outbound, publicUrl: api.publicUrl },
    seal: createSeal(secret),
  });
  const opened = openMcp({
    subscriptions,
    search,
    changes,
    gate,
    publicUrl: api.publicUrl,
    clocks,
    observe: api.observe,
    log,
    loadChangedAt: () => loadLastChangeTime(store.db),
    loadMap: () => loadCityMap(store.db),
  });
  return { ...opened, closeOutbound: () => outbound.close() };
}

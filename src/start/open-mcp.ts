/** Opens the MCP server of this process. */

import type { Gate } from '../accounts/index.ts';
import type { Api } from '../api/index.ts';
import { loadLastChangeTime } from '../catalog/index.ts';
import type { Context } from '../context.ts';
import { type OpenedMcp, openMcp } from '../mcp/index.ts';
import type { ChangeReader, Search } from '../search/index.ts';
import type { Store } from '../store/index.ts';

export interface McpParts {
  store: Store;
  search: Search;
  changes: ChangeReader;
  gate: Gate;
  api: Api;
}

export function openMcpServer({ config, log }: Context, { store, search, changes, gate, api }: McpParts): OpenedMcp {
  return openMcp({
    search,
    changes,
    gate,
    publicUrl: api.publicUrl,
    clocks: config.clocks,
    observe: api.observe,
    log,
    loadChangedAt: () => loadLastChangeTime(store.db),
  });
}

/** The MCP server without HTTP: for the operator of this machine. */

import { createDirectoryAge } from './directory-age.ts';
import { createMcpServer, type McpServerOptions } from './mcp-server.ts';
import type { McpTable } from './protocol/dispatcher.ts';

export interface LocalMcpOptions extends Omit<McpServerOptions, 'changedAt'> {
  /** When the directory changed last, milliseconds. */
  loadChangedAt(): Promise<number | null>;
}

export function createLocalMcp({ loadChangedAt, ...options }: LocalMcpOptions): McpTable {
  const changedAt = createDirectoryAge(loadChangedAt, () => options.search.current().seq);
  return createMcpServer({ ...options, changedAt });
}

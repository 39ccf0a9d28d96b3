/** The tools, as a table. Everything that names them is generated from it: lists, cards, llms.txt. docs/mcp.md has the same table. */

import { cityOverviewTool } from './city-overview.ts';
import { getEventTool } from './get-event.ts';
import { searchEventsTool } from './search-events.ts';
import type { McpTool } from './tool.ts';
import { getVenueTool, searchVenuesTool } from './venue-tools.ts';
import { whatsTrendingTool } from './whats-trending.ts';

/** In the order in which clients see them, always. */
export const MCP_TOOLS: readonly McpTool[] = [
  searchEventsTool,
  getEventTool,
  searchVenuesTool,
  getVenueTool,
  cityOverviewTool,
  whatsTrendingTool,
];

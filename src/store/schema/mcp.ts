/** Tables of the MCP server. */

import type { Generated } from 'kysely';
import type { InstantColumn, MaybeInstantColumn, Numeric } from './columns.ts';

interface McpSubscriptionTable {
  id: string;
  account_id: string;
  url: string;
  name: string;
  query: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_until: MaybeInstantColumn;
  epoch: string;
  position: Numeric;
  not_before: MaybeInstantColumn;
  state: 'active' | 'suspended';
  attempts: Generated<number>;
  rounds: Generated<number>;
  due_at: InstantColumn;
  last_error: string | null;
  failing_since: MaybeInstantColumn;
  last_success_at: MaybeInstantColumn;
  revision: Generated<number>;
  lease_owner: string | null;
  lease_until: MaybeInstantColumn;
  expires_at: InstantColumn;
  created_at: InstantColumn;
}

/** All tables that `mcp` owns. */
export interface McpTables {
  mcp_subscription: McpSubscriptionTable;
}

/** Who calls the MCP server. */

import type { TierName } from '../../accounts/index.ts';

export interface McpCaller {
  /** `local`: the operator, through the standard streams of a command. */
  kind: 'anonymous' | 'key' | 'local';
  /** Of the key; null without one. */
  tier: TierName | null;
  accountId: string | null;
  address: string;
}

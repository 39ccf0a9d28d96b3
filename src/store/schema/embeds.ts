/** Tables of embeds. */

import type { Generated } from 'kysely';
import type { InstantColumn } from './columns.ts';

interface EmbedTable {
  id: string;
  account_id: string;
  name: string;
  query: string;
  layout: 'list' | 'map' | 'calendar';
  origins: Generated<string[]>;
  created_at: InstantColumn;
  updated_at: InstantColumn;
}

/** All tables that `embeds` owns. */
export interface EmbedsTables {
  embed: EmbedTable;
}

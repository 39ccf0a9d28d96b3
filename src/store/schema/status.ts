/** How each minute of the service went, and its incidents. */

import type { InstantColumn, MaybeInstantColumn } from './columns.ts';

interface ServiceMinuteTable {
  minute: InstantColumn;
  /** The process that answered. */
  writer: string;
  /** See `Tally` of `status`. */
  api: number[];
  pages: number[];
  mcp: number[];
}

interface IncidentTable {
  id: string;
  title: string;
  impact: 'minor' | 'major' | 'maintenance';
  opened_at: InstantColumn;
  closed_at: MaybeInstantColumn;
}

interface IncidentUpdateTable {
  id: string;
  incident_id: string;
  at: InstantColumn;
  state: 'investigating' | 'identified' | 'monitoring' | 'resolved';
  message: string;
}

/** All tables that `status` owns. */
export interface StatusTables {
  service_minute: ServiceMinuteTable;
  incident: IncidentTable;
  incident_update: IncidentUpdateTable;
}

/** Problems that readers report. */

import type { Generated } from 'kysely';
import type { InstantColumn, MaybeInstantColumn } from './columns.ts';

interface ProblemReportTable {
  id: string;
  entity: 'event' | 'venue';
  record_id: string;
  kind: string;
  state: Generated<'open' | 'fixed' | 'kept' | 'duplicate'>;
  /** How many networks reported it. */
  reporters: number;
  first_at: InstantColumn;
  last_at: InstantColumn;
  answered_at: MaybeInstantColumn;
  answered_by: string | null;
  note: string | null;
}

interface ProblemReporterTable {
  id: string;
  report_id: string;
  /** A keyed hash of the network. */
  sender: Buffer;
  at: InstantColumn;
  words: string | null;
  /** Null once the outcome was sent. */
  email: string | null;
  language: string;
}

/** All tables that `reports` owns. */
export interface ReportsTables {
  problem_report: ProblemReportTable;
  problem_reporter: ProblemReporterTable;
}

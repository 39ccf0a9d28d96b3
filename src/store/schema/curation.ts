/** What people are asked about, and what they decided. */

import type { Generated, JSONColumnType } from 'kysely';
import type { Day, InstantColumn, MaybeInstantColumn } from './columns.ts';

interface QuestionTable {
  id: string;
  kind: string;
  left_id: string;
  right_id: string;
  score: number;
  evidence: JSONColumnType<object>;
  asked_at: InstantColumn;
  settled_at: MaybeInstantColumn;
}

interface DecisionTable {
  id: string;
  kind: 'event' | 'venue';
  left_id: string;
  right_id: string;
  verdict: 'same' | 'different';
  decided_by: string;
  decided_at: InstantColumn;
  revoked_at: MaybeInstantColumn;
  note: string | null;
  /** What was decided by hand in one act, and taken back by one. */
  act_id: string | null;
  revoked_act: string | null;
  /** The directory does not follow it yet. */
  is_pending: Generated<boolean>;
}

interface CorrectionTable {
  id: string;
  entity: 'event' | 'venue';
  target_id: string;
  field: string;
  /** Any JSON value, null too. */
  value: JSONColumnType<object>;
  before: JSONColumnType<object>;
  made_by: string;
  made_at: InstantColumn;
  note: string | null;
  revoked_at: MaybeInstantColumn;
  revoked_by: string | null;
}

/** A night on which two sources list one event at two venues. */
interface CoListingTable {
  /** Records of the venues; `left_id` sorts first. */
  left_id: string;
  right_id: string;
  night: Day;
  starts_at: InstantColumn;
  title: string;
  kinship: 'alias' | 'namesake' | 'near' | 'different';
  is_contradicted: Generated<boolean>;
}

/** All tables that `curation` owns. */
export interface CurationTables {
  question: QuestionTable;
  decision: DecisionTable;
  correction: CorrectionTable;
  co_listing: CoListingTable;
}

/** Where listings come from, what each source has listed, what people are asked about, and what they decided. */

import type { Generated, JSONColumnType } from 'kysely';
import type { Day, InstantColumn, MaybeInstantColumn } from './columns.ts';

interface SourceTable {
  id: string;
  name: string;
  kind: string;
  location: string | null;
  mapping: JSONColumnType<object> | null;
  every_seconds: number | null;
  trust: Generated<number>;
  last_run_at: MaybeInstantColumn;
  last_error: string | null;
  created_at: InstantColumn;
  state: Generated<string>;
  fence: Generated<string>;
  release: Generated<boolean>;
  failures: Generated<number>;
  retry_at: MaybeInstantColumn;
  last_ok_at: MaybeInstantColumn;
  etag: string | null;
  last_modified: string | null;
  /** When an operator asked for a run that has not begun. */
  wanted_at: MaybeInstantColumn;
  /** A line that is shown wherever its data is. */
  licence: string | null;
  /** When it last listed a venue, or an event that was still to come. */
  listed_at: MaybeInstantColumn;
}

interface ProviderClockTable {
  provider: string;
  clock: JSONColumnType<object>;
  found_at: InstantColumn;
}

interface RecordTable {
  id: string;
  source_id: string;
  kind: 'event' | 'venue';
  external_id: string;
  event_id: string | null;
  venue_id: string | null;
  content_hash: string;
  listing: JSONColumnType<object>;
  first_seen_at: InstantColumn;
  last_seen_at: InstantColumn;
  gone_at: MaybeInstantColumn;
  own_id: string | null;
  facts: JSONColumnType<object> | null;
  night: Day | null;
  starts_at: MaybeInstantColumn;
}

interface ReadingTable {
  source_id: string;
  said: string;
  known: string;
  outcome: JSONColumnType<object>;
  read_at: InstantColumn;
}

interface RunTable {
  id: string;
  source_id: string | null;
  kind: string;
  state: string;
  started_at: InstantColumn;
  finished_at: MaybeInstantColumn;
  report: JSONColumnType<object> | null;
  error: string | null;
  /** Figures of the report. */
  summary: JSONColumnType<object> | null;
}

interface RunRecordTable {
  run_id: string;
  record_id: string;
  before: JSONColumnType<object> | null;
}

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

interface PlaceAnswerTable {
  id: string;
  name: string;
  name_key: string;
  act: 'same' | 'here' | 'ignore';
  venue_id: string | null;
  address: string | null;
  latitude: number | null;
  longitude: number | null;
  is_exact: Generated<boolean>;
  decided_by: string;
  decided_at: InstantColumn;
  revoked_at: MaybeInstantColumn;
  venue_name: string | null;
}

/** All tables that `ingest` owns. */
export interface IngestTables {
  source: SourceTable;
  provider_clock: ProviderClockTable;
  record: RecordTable;
  reading: ReadingTable;
  run: RunTable;
  run_record: RunRecordTable;
  question: QuestionTable;
  decision: DecisionTable;
  correction: CorrectionTable;
  co_listing: CoListingTable;
  place_answer: PlaceAnswerTable;
}

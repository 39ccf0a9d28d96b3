/** The tables as Kysely sees them. The SQL in `migrations/` is the truth; a test compares the two. */

import type { Generated, JSONColumnType } from 'kysely';
import type {
  PlanRequestTable,
  StripeCheckoutTable,
  StripeCustomerTable,
  StripeEventTable,
  StripeSubscriptionTable,
} from './schema/billing.ts';
import type { Day, InstantColumn, MaybeInstantColumn, MaybeNumeric, Numeric } from './schema/columns.ts';
import type { AccessChangeTable, ChangeLogTable, ChangeTable, ListHeadTable } from './schema/lists.ts';
import type { ExportLinkTable, ExportRequestTable, ExportTable, FeedTable, FeedTokenTable } from './schema/outlets.ts';
import type {
  AuditTable,
  CredentialTable,
  EmailTable,
  PasskeyTable,
  SessionTable,
  TrialNetworkTable,
  TwoFactorTable,
  VerificationTable,
} from './schema/people.ts';
import type {
  RequestMinuteTable,
  UsageDayTable,
  UsageDetailTable,
  UsageHourTable,
  UsageKeyHourTable,
  UsageSummaryTable,
  UsageWriterTable,
} from './schema/usage.ts';
import type {
  WebhookAttemptTable,
  WebhookDayTable,
  WebhookDeliveryTable,
  WebhookEndpointTable,
  WebhookFollowerTable,
  WebhookMessageTable,
  WebhookNoticeTable,
} from './schema/webhooks.ts';

export interface CityTable {
  only_row: Generated<boolean>;
  slug: string;
  name: string;
  timezone: string;
  currency: string;
  locale: string;
  latitude: number;
  longitude: number;
}

export interface NeighborhoodTable {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  latitude: number;
  longitude: number;
  geometry: JSONColumnType<object>;
  updated_at: InstantColumn;
}

export interface VenueTable {
  id: string;
  slug: string;
  name: string;
  type: string;
  address: string | null;
  latitude: number;
  longitude: number;
  capacity_tier: string | null;
  is_verified: boolean;
  neighborhood: string | null;
  website: string | null;
  parking: string | null;
  transit_nearby: Generated<string[]>;
  opening_hours: JSONColumnType<object> | null;
  /** Of the name and the slug, for finding by hand; see `indexedWords`. */
  words: Generated<string>;
  state: Generated<string>;
  merged_into: string | null;
  created_at: InstantColumn;
  updated_at: InstantColumn;
}

export interface EventTable {
  id: string;
  slug: string;
  title: string;
  category: string;
  starts_at: InstantColumn;
  ends_at: MaybeInstantColumn;
  description: string | null;
  image_url: string | null;
  is_free: boolean;
  price_min: MaybeNumeric;
  price_max: MaybeNumeric;
  venue_id: string;
  status: Generated<string>;
  performers: Generated<string[]>;
  tags: Generated<string[]>;
  sources: Generated<string[]>;
  discovery_score: number;
  /** As of when the score was computed: explaining it replays that moment. */
  scored_at: InstantColumn;
  /** The local day since which score and coverage stand; those before are in `score_history`. */
  scored_day: Day;
  /** The points of the score that the providers give; null in what was scored before it was noted. */
  coverage: number | null;
  state: Generated<string>;
  merged_into: string | null;
  precision: Generated<string>;
  /** The title as letters alone; see `runKey`. */
  run: Generated<string>;
  /** Of the title and the slug, for finding by hand; see `indexedWords`. */
  words: Generated<string>;
  /** Which of the coming showings of its run it was when it was scored, from 1. */
  showing: Generated<number>;
  unconfirmed_since: MaybeInstantColumn;
  /** How often the time, the place or the status has changed. */
  revision: Generated<number>;
  created_at: InstantColumn;
  updated_at: InstantColumn;
}

export interface OldSlugTable {
  kind: 'event' | 'venue';
  slug: string;
  event_id: string | null;
  venue_id: string | null;
}

export interface SourceTable {
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
}

export interface ProviderClockTable {
  provider: string;
  clock: JSONColumnType<object>;
  found_at: InstantColumn;
}

export interface RecordTable {
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

export interface ReadingTable {
  source_id: string;
  said: string;
  known: string;
  outcome: JSONColumnType<object>;
  read_at: InstantColumn;
}

export interface LeaseTable {
  name: string;
  token: Numeric;
  until: InstantColumn;
}

export interface RunTable {
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

export interface RunRecordTable {
  run_id: string;
  record_id: string;
  before: JSONColumnType<object> | null;
}

export interface QuestionTable {
  id: string;
  kind: string;
  left_id: string;
  right_id: string;
  score: number;
  evidence: JSONColumnType<object>;
  asked_at: InstantColumn;
  settled_at: MaybeInstantColumn;
}

export interface DecisionTable {
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
}

export interface CorrectionTable {
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

export interface SignalTable {
  event_id: string;
  kind: string;
  observed_at: InstantColumn;
  value: number;
}

export interface ScoreHistoryTable {
  event_id: string;
  day: Day;
  discovery_score: number;
  /** Null in what was noted before it was. */
  coverage: number | null;
}

export interface CleanUpTable {
  name: string;
  position: string;
  finished_at: MaybeInstantColumn;
}

export interface AccountTable {
  id: string;
  email: string;
  email_lower: string;
  email_verified_at: MaybeInstantColumn;
  default_tier: string | null;
  status: Generated<string>;
  is_operator: Generated<boolean>;
  created_at: InstantColumn;
  name: Generated<string>;
  image: string | null;
  /** As `email_verified_at` is set. */
  email_verified: Generated<boolean>;
  two_factor_enabled: Generated<boolean>;
  updated_at: InstantColumn;
}

export interface SubscriptionTable {
  id: string;
  account_id: string;
  tier: string;
  status: string;
  trial_ends_at: MaybeInstantColumn;
  /** SHA-256, hexadecimal, of the mailbox that has the trial. */
  trial_mailbox: string | null;
  created_at: InstantColumn;
}

export interface ApiKeyTable {
  id: string;
  subscription_id: string;
  name: string;
  secret_hash: Buffer;
  last4: string;
  created_at: InstantColumn;
  expires_at: MaybeInstantColumn;
  revoked_at: MaybeInstantColumn;
  last_used_at: MaybeInstantColumn;
  /** Digest of the form that asked for it; null when none did. */
  form: string | null;
}

export interface Database {
  city: CityTable;
  neighborhood: NeighborhoodTable;
  venue: VenueTable;
  event: EventTable;
  old_slug: OldSlugTable;
  source: SourceTable;
  record: RecordTable;
  decision: DecisionTable;
  correction: CorrectionTable;
  lease: LeaseTable;
  reading: ReadingTable;
  provider_clock: ProviderClockTable;
  run: RunTable;
  run_record: RunRecordTable;
  question: QuestionTable;
  signal: SignalTable;
  score_history: ScoreHistoryTable;
  list_head: ListHeadTable;
  change: ChangeTable;
  change_log: ChangeLogTable;
  clean_up: CleanUpTable;
  account: AccountTable;
  subscription: SubscriptionTable;
  api_key: ApiKeyTable;
  trial_network: TrialNetworkTable;
  usage_day: UsageDayTable;
  usage_hour: UsageHourTable;
  usage_detail: UsageDetailTable;
  usage_summary: UsageSummaryTable;
  usage_key_hour: UsageKeyHourTable;
  usage_writer: UsageWriterTable;
  request_minute: RequestMinuteTable;
  access_change: AccessChangeTable;
  session: SessionTable;
  credential: CredentialTable;
  verification: VerificationTable;
  two_factor: TwoFactorTable;
  passkey: PasskeyTable;
  letter: EmailTable;
  audit: AuditTable;
  plan_request: PlanRequestTable;
  stripe_customer: StripeCustomerTable;
  stripe_checkout: StripeCheckoutTable;
  stripe_subscription: StripeSubscriptionTable;
  stripe_event: StripeEventTable;
  feed: FeedTable;
  feed_token: FeedTokenTable;
  export_request: ExportRequestTable;
  export: ExportTable;
  export_link: ExportLinkTable;
  webhook_follower: WebhookFollowerTable;
  webhook_endpoint: WebhookEndpointTable;
  webhook_message: WebhookMessageTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_attempt: WebhookAttemptTable;
  webhook_notice: WebhookNoticeTable;
  webhook_day: WebhookDayTable;
}

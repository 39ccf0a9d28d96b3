/** Tables of what was used. */

import type { Day, InstantColumn, Numeric } from './columns.ts';

export interface UsageDayTable {
  subscription_id: string;
  day: Day;
  requests: Numeric;
}

export interface UsageHourTable {
  key_id: string;
  hour: InstantColumn;
  endpoint: string;
  status: number;
  requests: number;
}

export interface UsageDetailTable {
  key_id: string;
  day: Day;
  endpoint: string;
  status: number;
  requests: Numeric;
}

export interface UsageSummaryTable {
  account_id: string;
  at: InstantColumn;
  kind: string;
  label: string;
  requests: Numeric;
  refused: Numeric;
}

export interface UsageKeyHourTable {
  key_id: string;
  hour: InstantColumn;
  requests: Numeric;
  refused: Numeric;
}

export interface UsageWriterTable {
  id: string;
  batch: Numeric;
  at: InstantColumn;
}

export interface ServingProcessTable {
  id: string;
  started_at: InstantColumn;
  seen_at: InstantColumn;
  shares_limits: boolean;
}

export interface RequestMinuteTable {
  subscription_id: string;
  writer: string;
  written_at: InstantColumn;
  ages: Buffer;
}

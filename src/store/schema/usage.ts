/** Tables of what was used. */

import type { Day, Moment, Numeric } from './columns.ts';

export interface UsageDayTable {
  subscription_id: string;
  day: Day;
  requests: Numeric;
}

export interface UsageHourTable {
  key_id: string;
  hour: Moment;
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
  at: Moment;
  kind: string;
  label: string;
  requests: Numeric;
  refused: Numeric;
}

export interface UsageKeyHourTable {
  key_id: string;
  hour: Moment;
  requests: Numeric;
  refused: Numeric;
}

export interface UsageWriterTable {
  id: string;
  batch: Numeric;
  at: Moment;
}

export interface RequestMinuteTable {
  subscription_id: string;
  writer: string;
  written_at: Moment;
  ages: Buffer;
}

/** What an account asks for, and what becomes of it. */

import type { AuditEntry } from '../accounts/index.ts';
import { DAY_MS } from '../values/duration.ts';
import type { ExportFormat } from './model.ts';

export const REPEATS = ['once', 'hourly', 'daily'] as const;
export type Repeat = (typeof REPEATS)[number];
export type ExportState = 'queued' | 'running' | 'ready' | 'failed' | 'cancelled' | 'expired';

/** What an account asked for. */
export interface ExportRequest {
  id: string;
  /** Null: everything. */
  feedId: string | null;
  format: ExportFormat;
  columns: string[] | null;
  repeat: Repeat;
  createdAt: Date;
  /** Null: no further export is made. */
  nextAt: Date | null;
  /** The last characters of the secret link; null without one. */
  linkLast4: string | null;
}

/** One export of a request. */
export interface Export {
  id: string;
  requestId: string;
  feedId: string | null;
  format: ExportFormat;
  columns: string[] | null;
  repeat: Repeat;
  state: ExportState;
  queuedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** When its files are deleted. */
  expiresAt: Date | null;
  /** Null until it is written. */
  isFull: boolean | null;
  rows: number | null;
  bytes: number | null;
  error: string | null;
  /** When it is tried again, while it waits for a storage that does not answer; null otherwise. */
  retryAt: Date | null;
}

/** On whose behalf exports are changed. */
export interface ExportOwner {
  accountId: string;
  /** For the audit list. */
  actor: AuditEntry['actor'];
  address?: string | null;
}

export interface ExportInput {
  /** Null: everything. */
  feedId: string | null;
  format: string;
  /** Null: whole records. */
  columns: readonly string[] | null;
  repeat: string;
}

/** Milliseconds between the exports of a schedule. */
export const PERIOD_MS = { hourly: 3_600_000, daily: DAY_MS } as const;

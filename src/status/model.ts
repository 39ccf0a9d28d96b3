/** What the service tells the public about itself. */

import type { Incident } from './incidents.ts';

/** What answers requests, each counted by itself. */
export const SURFACES = ['api', 'pages', 'mcp'] as const;
export type SurfaceName = (typeof SURFACES)[number];

export interface StatusReport {
  /** `operational`: all works. `degraded`: something is late or away. `outage`: much fails. */
  state: ServiceHealth;
  /** Real time, milliseconds. */
  at: number;
  surfaces: SurfaceReport[];
  /** Whether all stored minutes were read. False: the days before this process started are missing. */
  isHistoryComplete: boolean;
  parts: ServicePart[];
  directory: DirectoryState;
  /** Null: none are scheduled, or they were never read. */
  backups: BackupAge | null;
  /** Null: they were never read. */
  sources: SourceFreshness[] | null;
  /** Whose data the directory shows, a line each; null: they were never read. */
  credits: string[] | null;
  /** When sources and incidents were last read, milliseconds; null: never. */
  readAt: number | null;
  /** Latest first; null: they were never read. */
  incidents: Incident[] | null;
}

export type ServiceHealth = 'operational' | 'degraded' | 'outage';

export interface SurfaceReport {
  name: SurfaceName;
  state: ServiceHealth;
  /** 0 to 1 over all days; null without a minute. */
  availability: number | null;
  /** The oldest first, one for each day (UTC). */
  days: DayReport[];
}

export interface DayReport {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  /** Minutes since the first known one. */
  counted: number;
  /** Of them, minutes in which no process was running. */
  down: number;
  /** 0 to 1; null: nothing is known of the day. */
  availability: number | null;
  answers: number;
  failed: number;
  /** Answers that took longer than the last bound. */
  slow: number;
  /** Upper bounds, milliseconds; null without answers, and beyond the last bound. */
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

export interface ServicePart {
  name: PartName;
  /** `damaged`: the database alone. `unknown`: it is in the database, which does not answer. */
  state: 'ok' | 'late' | 'down' | 'damaged' | 'unknown';
  /** Since when it is not `ok`, milliseconds. */
  since: number | null;
}

export type PartName = 'database' | 'limits' | 'mail' | 'webhooks' | 'exports' | 'backups';

export interface BackupAge {
  /** The moment that the newest complete one shows, milliseconds; null: there is none. */
  newestAt: number | null;
  ageSeconds: number | null;
  everySeconds: number;
}

export interface DirectoryState {
  events: number;
  venues: number;
  /** When what is served was built, milliseconds. */
  builtAt: number;
  /** Changes that it does not hold yet. */
  behind: number;
  /** When the directory last changed, milliseconds of the directory's clock; null: not known. */
  changedAt: number | null;
}

export interface SourceFreshness {
  name: string;
  state: 'current' | 'late' | 'empty' | 'failing' | 'held' | 'paused' | 'new';
  /** When it was last read whole, milliseconds of the directory's clock. */
  readAt: number | null;
  /** How long ago that was. */
  ageSeconds: number | null;
  /** Null: it is only read on request. */
  everySeconds: number | null;
}

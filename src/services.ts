/** What a running Marquee consists of. `start` opens each part once, in the order of these lines, and closes them in the reverse order. */

import type { Attempts, Gate, RedisLimits } from './accounts/index.ts';
import type { Metrics } from './api/index.ts';
import type { Billing } from './billing/index.ts';
import type { Context } from './context.ts';
import type { SourceJobs } from './ingest/index.ts';
import type { Mailer, MailerOptions } from './mail/index.ts';
import type { Search } from './search/index.ts';
import type { Store } from './store/index.ts';
import type { Telemetry } from './telemetry/index.ts';

/** In each process. What needs some of it takes all of it. */
export interface Services extends Pick<Context, 'config' | 'log'> {
  /** Of links and public pages, without a trailing slash. */
  publicUrl: string;
  telemetry: Telemetry;
  store: Store;
  /** See `readSecret`. Never log it. */
  secret: string;
  /** How e-mails are sent, and whether pages show them. */
  mail: Pick<MailerOptions, 'smtpUrl' | 'from' | 'dataDir'> & { isReadable: boolean };
  mailer: Mailer;
  billing: Billing;
  /** Opens the read model of this process for whoever needs it first. Null: this process answers nothing, and opens one only for some work. */
  openSearch: (() => Promise<Search>) | null;
  /** Runs of sources by the clock. Null: this process only answers. */
  sources: SourceJobs | null;
  /** Takes what closes a part. */
  onClose(close: () => Promise<void> | void): void;
}

/** In a process that answers requests. */
export interface ApiServices extends Services {
  gate: Gate;
  /** Null: this process counts by itself. */
  redis: RedisLimits | null;
  /** Of sign-in. */
  attempts: Attempts;
  search: Search;
  metrics: Metrics;
}

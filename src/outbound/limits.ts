/** What one fetch may take. docs/outbound.md explains each and is checked against this table. Milliseconds and bytes. */

import { DAY_MS } from '../values/duration.ts';

export const LIMITS = {
  urlChars: 2_048,
  redirects: 3,
  headersMs: 10_000,
  totalMs: 30_000,
  headerBytes: 16 * 1024,
  interimAnswers: 8,
  codedBytes: 20 * 1024 * 1024,
  bodyBytes: 50 * 1024 * 1024,
  ratio: 100,
  ratioFromBytes: 64 * 1024,
  perHost: 2,
  addresses: 16,
  retryAfterMs: DAY_MS,
  validatorChars: 1_024,
  robotsBytes: 500 * 1024,
  robotsKeepMs: DAY_MS,
  robotsRetryMs: 600_000,
  robotsHosts: 1_000,
} as const;

export type Limits = { readonly [name in keyof typeof LIMITS]: number };

/** Why a file of an export is not sent. */

import type { Problem } from '../../http/index.ts';

export interface NoDownload {
  ok: false;
  problem: Problem;
}

export const gone = (detail: string): NoDownload => ({ ok: false, problem: { code: 'gone', detail } });

export const tooManyGuesses = (waitSeconds: number): Problem => ({
  code: 'rate_limit_minute',
  detail: `too many requests with unknown tokens came from this address; wait ${waitSeconds} s`,
  members: { retryAfterSeconds: waitSeconds },
});

export const UNKNOWN: NoDownload = { ok: false, problem: { code: 'not_found', detail: 'this file does not exist' } };
/** The same, of an address that opens nothing: whoever guesses gets many of them. */
export const NO_ACCESS: NoDownload = { ...UNKNOWN };
export const UNAVAILABLE: NoDownload = {
  ok: false,
  problem: { code: 'dependency_unavailable', detail: 'exports cannot be read right now', members: { retryAfterSeconds: 1 } },
};

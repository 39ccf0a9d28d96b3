/** Why a call of Redis failed. */

export type FaultReason = 'deadline' | 'unreachable' | 'loading' | 'readonly' | 'oom' | 'cluster' | 'denied' | 'other';

export class RedisFault extends Error {
  readonly reason: FaultReason;
  constructor(reason: FaultReason, cause?: unknown) {
    super(`Redis: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Whatever the client rejected with, as one of ours. */
export function toRedisFault(error: unknown): RedisFault {
  return error instanceof RedisFault ? error : new RedisFault(reasonOf(error), error);
}

function reasonOf(error: unknown): FaultReason {
  const { message = '' } = error as Partial<Error>;
  const [, reason = 'unreachable'] = FAULTS.find(([pattern]) => pattern.test(message)) ?? [];
  return reason;
}

const FAULTS: readonly (readonly [RegExp, FaultReason])[] = [
  [/^LOADING|^MASTERDOWN|^BUSY/, 'loading'],
  [/^READONLY/, 'readonly'],
  [/\bOOM\b/, 'oom'],
  [/^CLUSTERDOWN|^TRYAGAIN|Too many Cluster redirections|slots/i, 'cluster'],
  [/^NOAUTH|^WRONGPASS|^NOPERM/, 'denied'],
  [/^ERR/, 'other'],
];

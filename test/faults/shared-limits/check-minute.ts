/** Which decisions about one key are wrong, whenever they were made between sending and answer. */

export interface TimedDecision {
  /** Monotonic ms. */
  sentAt: number;
  answeredAt: number;
  isAdmitted: boolean;
}

export interface WrongDecisions {
  /** Requests admitted although `limit` others were certainly admitted within the last minute. */
  over: number;
  /** Requests refused although fewer than `limit` others can have been admitted within the last minute. */
  under: number;
}

/** The rolling minute is exact: at no instant have more than `limit` requests been admitted in the trailing 60 s. */
export function checkMinute(decisions: readonly TimedDecision[], limit: number): WrongDecisions {
  const admitted = decisions.filter(({ isAdmitted }) => isAdmitted).toSorted((left, right) => left.answeredAt - right.answeredAt);
  const refused = decisions.filter(({ isAdmitted }) => !isAdmitted);
  return {
    over: admitted.filter((_, index) => certainlyWithin(admitted, index) > limit).length,
    under: refused.filter((decision) => possiblyWithin(admitted, decision) < limit).length,
  };
}

/** Of the requests answered up to `index`, those that were sent less than a minute before its answer. */
function certainlyWithin(admitted: readonly TimedDecision[], index: number): number {
  const end = admitted[index]?.answeredAt ?? 0;
  let count = 0;
  for (let other = index; other >= 0; other -= 1) {
    const { sentAt, answeredAt } = admitted[other] ?? { sentAt: 0, answeredAt: Number.NEGATIVE_INFINITY };
    if (answeredAt <= end - MINUTE_MS) break;
    if (sentAt > end - MINUTE_MS + CLOCKS_MS) count += 1;
  }
  return count;
}

/** Requests that may have been admitted in the minute before some moment at which this one may have been refused. */
function possiblyWithin(admitted: readonly TimedDecision[], { sentAt, answeredAt }: TimedDecision): number {
  const from = firstAnsweredSince(admitted, sentAt - MINUTE_MS - CLOCKS_MS);
  let count = 0;
  for (let index = from; index < admitted.length; index += 1) if ((admitted[index]?.sentAt ?? 0) <= answeredAt) count += 1;
  return count;
}

/** The index of the first one that was answered at `moment` or later. */
function firstAnsweredSince(admitted: readonly TimedDecision[], moment: number): number {
  let [low, high] = [0, admitted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((admitted[middle]?.answeredAt ?? 0) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const MINUTE_MS = 60_000;
/** By so much the clock of Redis and the monotonic clock here may drift apart in a minute. */
const CLOCKS_MS = 5;

/** Periods that usage is shown for. */

import { DAY_MS } from '../../../values/duration.ts';

export const PERIODS = [7, 30, 90] as const;

/** UTC days as the address asks for (`days`), today included; 30 of them unless it asks for another period. */
export function readPeriod(request: Request, now: number): { days: number; from: string; to: string } {
  const asked = Number(new URL(request.url).searchParams.get('days'));
  const days = PERIODS.find((each) => each === asked) ?? DAYS_UNASKED;
  return { days, from: dateOf(now - (days - 1) * DAY_MS), to: dateOf(now) };
}

const dateOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

const DAYS_UNASKED = 30;

/** How long ago something was, in the largest unit that fits. */

import type { Text } from './text.ts';

export function describeAge(text: Text, seconds: number): string {
  const minutes = Math.max(0, Math.floor(seconds / 60));
  if (minutes < HOUR_MINUTES) return text('age.minutes', { count: minutes });
  if (minutes < 2 * DAY_MINUTES) return text('age.hours', { count: Math.floor(minutes / HOUR_MINUTES) });
  return text('age.days', { count: Math.floor(minutes / DAY_MINUTES) });
}

const HOUR_MINUTES = 60;
const DAY_MINUTES = 1_440;

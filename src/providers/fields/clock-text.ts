/** Hours of a day without a day. */

/** `3:00 pm`, `3pm`, `15:00`, `15:00:30`: `hh:mm:ss`, null for anything else. */
export function readClock(text: string): string | null {
  const [, hour, minute = '00', second = '00', half] = CLOCK.exec(text.trim()) ?? [];
  if (hour === undefined) return null;
  if (half === undefined) return text.includes(':') ? `${hour.padStart(2, '0')}:${minute}:${second}` : null;
  const twelve = Number(hour);
  if (twelve < 1 || twelve > 12) return null;
  return `${String((twelve % 12) + (/^p/i.test(half) ? 12 : 0)).padStart(2, '0')}:${minute}:${second}`;
}

const CLOCK = /^([01]?\d|2[0-3])(?::([0-5]\d)(?::([0-5]\d))?)?\s*([ap]\.?m\.?)?$/i;

/** RFC 9110 §10.2.3. */

/** Milliseconds from `now`, at most `most`; null where nothing understandable is asked. */
export function readRetryAfter(value: string | undefined, now: number, most: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, most);
  // Of the three forms of a date the other two are obsolete. `Date.parse` alone would read "-5" as a month.
  if (!IMF_FIXDATE.test(text)) return null;
  const wait = Date.parse(text) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), most);
}

const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

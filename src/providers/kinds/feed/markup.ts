/** Times that the markup of a description says to machines: hCalendar, microdata, and Drupal's fields. */

/** Values as written; null without a start. A plain `<time>` says as often when something was published. */
export function readMarkup(description: string): { start: string; end: string | null } | null {
  const values: { start: string | null; end: string | null } = { start: null, end: null };
  for (const [tag] of description.slice(0, MAX_CHARS).matchAll(TAG)) {
    const value = VALUE.exec(tag)?.[1];
    if (value === undefined) continue;
    for (const [, names = ''] of tag.matchAll(NAMES)) {
      if (START.test(names)) values.start ??= value;
      else if (END.test(names)) values.end ??= value;
    }
  }
  return values.start === null ? null : { start: values.start, end: values.end };
}

const TAG = /<(?:time|abbr|span|meta|div|p)\s[^<>]{1,600}>/gi;
const NAMES = /\b(?:class|itemprop)\s?=\s?["']([^"'<>]{1,200})["']/gi;
const VALUE = /\b(?:datetime|content|title)\s?=\s?["']([^"'<>]{4,64})["']/i;
const START = /(?:^|\s)(?:dtstart|dt-start|startDate|date-display-start|date-display-single)(?:\s|$)/i;
const END = /(?:^|\s)(?:dtend|dt-end|endDate|date-display-end)(?:\s|$)/i;
const MAX_CHARS = 20_000;

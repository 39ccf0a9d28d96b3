/** Opening hours as a language says them: a line for each time of the week, and one for each exception. */

import type { OpeningHours, Weekday } from '../../../records/index.ts';
import type { PageLanguage } from './page-language.ts';

type Words = Pick<PageLanguage, 'text' | 'formats'>;

/** `Mon–Thu, Sun: 5 PM to 2 AM`, `Dec 24: closed (Christmas)` */
export function describeHours(words: Words, { weekly, exceptions }: OpeningHours): string[] {
  const { text, formats } = words;
  const span = (opens: string, closes: string) =>
    text('time.range', { from: formats.hour(`${A_MONDAY}T${opens}:00`), to: formats.hour(`${A_MONDAY}T${closes}:00`) });
  return [
    ...weekly.map(({ days, opens, closes }) => `${describeDays(words, days)}: ${span(opens, closes)}`),
    ...exceptions.map(({ from, to, closed, opens, closes, reason }) => {
      const first = formats.date(from, DATE);
      const days = from === to ? first : text('time.range', { from: first, to: formats.date(to, DATE) });
      const hours = closed || opens === null || closes === null ? text('venue.closed') : span(opens, closes);
      return `${days}: ${hours}${reason === null ? '' : ` (${reason})`}`;
    }),
  ];
}

/** Days that follow each other become a span. */
function describeDays({ formats }: Words, days: readonly Weekday[]): string {
  const numbers = days.map((day) => WEEK.indexOf(day)).sort((a, b) => a - b);
  const spans: [first: number, last: number][] = [];
  for (const number of numbers) {
    const span = spans.at(-1);
    if (span && span[1] === number - 1) span[1] = number;
    else spans.push([number, number]);
  }
  const name = (number: number) => formats.date(`2024-01-0${number + 1}`, { weekday: 'short' });
  return spans.map(([first, last]) => (first === last ? name(first) : `${name(first)}–${name(last)}`)).join(', ');
}

const WEEK: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const A_MONDAY = '2024-01-01';
const DATE = { month: 'short', day: 'numeric' } as const;

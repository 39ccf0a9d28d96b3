/** `when` as people say it, as parameters of `GET /events`. */

import { NAMED_WINDOWS, WEEKDAYS } from '../../city/index.ts';
import { nearestName } from '../../query/index.ts';
import { readTimeWords } from '../../search/index.ts';
import { describeDay } from '../text/describe.ts';
import { type ArgumentReading, readAs } from './readings.ts';
import type { ToolPlace } from './tool.ts';

export interface ReadTime {
  /** Of `GET /events`. */
  pairs: readonly (readonly [string, string])[];
  /** Absent: `when` has this word. */
  reading?: ArgumentReading;
}

export function readTime(when: string, place: ToolPlace): ReadTime | { mistake: string } {
  const became = (how: string): ArgumentReading => ({ name: 'when', given: when, became: `was read as ${how}` });
  if (DAY.test(when)) {
    const pairs = [
      ['start_date', when],
      ['end_date', when],
    ] as const;
    return { pairs, reading: became('from and to of that day') };
  }
  const word = toWord(when);
  if (word === 'today') {
    const today = place.city.day(place.now);
    return { pairs: [['end_date', today]], reading: became(`from now to the end of ${today}`) };
  }
  const known = NAMED_WINDOWS.find((name) => name === word) ?? nameOfWeekday(word);
  if (known) return { pairs: [['when', known]], ...(known !== when && { reading: readAs('when', when, known) }) };
  return readPhrase(when, place) ?? { mistake: describeUnknown(when, word) };
}

const toWord = (when: string): string => when.toLowerCase().replace(/[\s-]+/g, '_');

const nameOfWeekday = (word: string): string | undefined => {
  const bare = word.replace(/^(?:on_)?(?:(?:this|coming)_)?/, '');
  return WEEKDAYS.find((weekday) => weekday === bare);
};

/** As `ask` of the API reads it. */
function readPhrase(when: string, { city, now }: ToolPlace): ReadTime | { mistake: string } | null {
  const read = readTimeWords(when, now, city);
  if (read === null) return null;
  const { means, parameters } = read;
  if (parameters === null) {
    return { mistake: `when ${show(when)} is over: it was read as ${means}, and today is ${describeDay(city.day(now))}` };
  }
  if (parameters.when !== undefined) return { pairs: Object.entries(parameters), reading: readAs('when', when, parameters.when) };
  const { start_date: from = 'now', end_date: to } = parameters;
  const how = `was read as ${means}: from ${from}${to === undefined ? '' : ` and to ${to}`}`;
  return { pairs: Object.entries(parameters), reading: { name: 'when', given: when, became: how } };
}

function describeUnknown(when: string, word: string): string {
  const meant = Object.hasOwn(MEANT, word) ? MEANT[word] : nearestName(word, NAMED_WINDOWS);
  const hint = meant == null ? '' : `; did you mean ${meant}?`;
  return `when ${show(when)} is not known${hint} One of: ${NAMED_WINDOWS.join(', ')}; or give from and to as dates`;
}

const show = (when: string): string => `"${when.slice(0, MAX_SHOWN)}"`;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Words that people say and nobody reads as a time. */
const MEANT: Readonly<Record<string, string>> = {
  evening: 'tonight',
  week: 'this_week',
  month: 'next_30_days',
};
const MAX_SHOWN = 64;

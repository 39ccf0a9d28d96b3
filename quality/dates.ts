/** Dates in words that calendars print beside exact ones, read in their languages. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDateTextReader } from '../src/providers/fields/date-text/date-text.ts';
import type { Figure } from './figure.ts';

const FOLDER = new URL('../../shared/data/events/openagenda/', import.meta.url).pathname;

interface PublishedEvent {
  timezone?: string;
  timings?: { begin?: string }[];
  dateRange?: Record<string, string>;
}

/** Each text is read as of twenty days before its first day, and must begin on that day. */
export function dateFigures(): Figure[] {
  if (!existsSync(FOLDER)) return [];
  const texts = FILES.flatMap((file) => textsOf(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as PublishedEvent[]));
  return [...Map.groupBy(texts, ({ language }) => language)].sort().map(([language, own]) => {
    const read = own.filter(({ text, day }) => firstDay(language, text, day) === day).length;
    return {
      name: `dates in words of calendars: ${language}`,
      value: `${read} of ${own.length}`,
      command: 'npm run quality',
      ...(language === 'es' ? { note: 'the others are Catalan: `15 i 16 octubre`' } : {}),
    };
  });
}

function firstDay(language: string, text: string, day: string): string | undefined {
  const today = Temporal.PlainDate.from(day).subtract({ days: 20 }).toString();
  const read = createDateTextReader([language])(text, today);
  return read.ok ? read.occurrences[0]?.start.slice(0, day.length) : undefined;
}

function textsOf(events: readonly PublishedEvent[]): { language: string; text: string; day: string }[] {
  return events.flatMap(({ timezone = 'Europe/Paris', timings = [], dateRange = {} }) => {
    const [first] = timings.flatMap(({ begin }) => begin ?? []).sort();
    if (first === undefined) return [];
    const day = Temporal.Instant.fromEpochMilliseconds(Date.parse(first)).toZonedDateTimeISO(timezone).toPlainDate().toString();
    return Object.entries(dateRange).map(([language, text]) => ({ language, text, day }));
  });
}

const FILES = ['tcheque__events', 'albi__events', 'tcheque__events2'].map(
  (name) => `pdf-exports__agenda__test__fixtures__${name}.json`,
);

/** Any recurrence rule, for property tests. */

import { type Arbitrary, constantFrom, integer, option, record, uniqueArray } from 'fast-check';
import type { SlowRule } from './slow-recurrence.ts';

const weekday = constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
const sometimes = <T>(values: Arbitrary<T>) => option(values, { nil: undefined, freq: 1 });
const numbers = (least: number, most: number) =>
  uniqueArray(
    integer({ min: least, max: most }).filter((each) => each !== 0 || least === 0),
    { minLength: 1, maxLength: 4 },
  );
/** Parts of a rule, also such as may not stand together: `allowedRule` takes these away. */
export const ruleParts = record({
  FREQ: constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY' as const),
  INTERVAL: integer({ min: 1, max: 4 }),
  COUNT: sometimes(integer({ min: 1, max: 20 })),
  UNTIL: sometimes(integer({ min: 0, max: 900 })),
  WKST: weekday,
  BYMONTH: sometimes(numbers(1, 12)),
  BYMONTHDAY: sometimes(numbers(-31, 31)),
  BYYEARDAY: sometimes(numbers(-366, 366)),
  BYWEEKNO: sometimes(numbers(-53, 53)),
  BYDAY: sometimes(uniqueArray(weekday, { minLength: 1, maxLength: 3 })),
  nth: integer({ min: -5, max: 5 }),
  BYHOUR: sometimes(numbers(0, 23)),
  BYSETPOS: sometimes(numbers(-3, 3)),
});

/** What the standard allows together. */
export function allowedRule(
  { nth, UNTIL, ...all }: Record<string, unknown> & { nth: number; UNTIL?: number | undefined },
  start: Temporal.PlainDateTime,
): SlowRule {
  const rule = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as unknown as SlowRule;
  if (rule.FREQ !== 'YEARLY') delete rule.BYYEARDAY;
  if (rule.FREQ !== 'YEARLY' || rule.BYYEARDAY || rule.BYMONTHDAY || rule.INTERVAL !== 1) delete rule.BYWEEKNO;
  if (rule.FREQ === 'WEEKLY') delete rule.BYMONTHDAY;
  const isNth = nth !== 0 && (rule.FREQ === 'MONTHLY' || (rule.FREQ === 'YEARLY' && !rule.BYWEEKNO));
  if (rule.BYDAY && isNth) rule.BYDAY = [`${nth}${rule.BYDAY[0]}`, ...rule.BYDAY.slice(1)];
  const { BYMONTH, BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYDAY, BYHOUR } = rule;
  if (![BYMONTH, BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYDAY, BYHOUR].some(Boolean)) delete rule.BYSETPOS;
  if (UNTIL !== undefined) rule.UNTIL = start.add({ days: UNTIL }).toString({ smallestUnit: 'second' });
  return rule;
}

/** The slow twin of `expandRule`: it goes through the days one by one and asks each part of the rule whether it agrees. */

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

export interface SlowRule {
  FREQ: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  INTERVAL?: number;
  COUNT?: number;
  UNTIL?: string;
  WKST?: string;
  BYMONTH?: number[];
  BYMONTHDAY?: number[];
  BYYEARDAY?: number[];
  BYWEEKNO?: number[];
  BYDAY?: string[];
  BYHOUR?: number[];
  BYMINUTE?: number[];
  BYSETPOS?: number[];
}

export function printRule(rule: SlowRule): string {
  return Object.entries(rule)
    .map(([name, value]) => `${name}=${name === 'UNTIL' ? String(value).replace(/[-:]/g, '') : value}`)
    .join(';');
}

/** The recurrence set of a DTSTART and its rule (RFC 5545 §3.3.10): the start is first and counts, whether the rule gives it or not. */
export function slowSeries(rule: SlowRule, start: string, end: string): string[] {
  const { COUNT, ...endless } = rule;
  const later = slowRecurrence(endless, start, end).filter((moment) => moment !== start);
  return [start, ...later].filter((moment) => moment < end).slice(0, COUNT);
}

/** The moments before `end`, as `YYYY-MM-DDThh:mm:ss`. */
export function slowRecurrence(rule: SlowRule, start: string, end: string): string[] {
  const first = Temporal.PlainDateTime.from(start);
  const startDay = first.toPlainDate();
  const times = timesOf(rule, first);
  const found: string[] = [];
  let [period, inPeriod]: [number | null, string[]] = [null, []];
  const close = (): boolean => {
    for (const moment of positioned(rule, inPeriod)) {
      if (moment < start) continue;
      if (moment >= end || moment > (rule.UNTIL ?? '9999') || found.length === rule.COUNT) return false;
      found.push(moment);
    }
    return true;
  };
  // BYSETPOS counts from the beginning of the first period; a week of BYWEEKNO may begin in the year before.
  for (let day = startDay.subtract({ days: rule.FREQ === 'YEARLY' ? 380 : 40 }); ; day = day.add({ days: 1 })) {
    const at = periodOf(rule, day) - periodOf(rule, startDay);
    if (at !== period) {
      if (!close() || day.toString() > `${end.slice(0, 4)}-12-31`) return found;
      [period, inPeriod] = [at, []];
    }
    if (at >= 0 && at % (rule.INTERVAL ?? 1) === 0 && agrees(rule, startDay, day))
      inPeriod.push(...times.map((time) => `${day}T${time}`));
  }
}

function periodOf({ FREQ, BYWEEKNO, WKST = 'MO' }: SlowRule, day: Temporal.PlainDate): number {
  const days = Temporal.PlainDate.from('2000-01-03').until(day, { largestUnit: 'days' }).days;
  if (FREQ === 'DAILY') return days;
  if (FREQ === 'WEEKLY') return Math.floor((days - WEEKDAYS.indexOf(WKST)) / 7);
  if (FREQ === 'MONTHLY') return day.year * 12 + day.month;
  return BYWEEKNO ? weekOf(day, WKST).year : day.year;
}

function agrees(rule: SlowRule, start: Temporal.PlainDate, day: Temporal.PlainDate): boolean {
  const { FREQ, BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYDAY, BYMONTH, WKST = 'MO' } = rule;
  const isOpen = !BYMONTHDAY && !BYYEARDAY && !BYWEEKNO && !BYDAY;
  const isYearly = FREQ === 'YEARLY';
  const months = BYMONTH ?? (isYearly && !BYYEARDAY && !BYWEEKNO && !BYDAY ? [start.month] : null);
  const monthDays = BYMONTHDAY ?? (isOpen && (isYearly || FREQ === 'MONTHLY') ? [start.day] : null);
  const weekdays = BYDAY ?? (FREQ === 'WEEKLY' || BYWEEKNO ? [WEEKDAYS[start.dayOfWeek - 1]!] : null);
  if (months && !months.includes(day.month)) return false;
  if (monthDays && !either(monthDays, day.day, day.daysInMonth)) return false;
  if (BYYEARDAY && !either(BYYEARDAY, day.dayOfYear, day.daysInYear)) return false;
  if (BYWEEKNO) {
    const { week, weeks } = weekOf(day, WKST);
    if (!either(BYWEEKNO, week, weeks)) return false;
  }
  if (!weekdays) return true;
  const isInMonth = FREQ === 'MONTHLY' || (isYearly && BYMONTH);
  const [at, length] = isInMonth ? [day.day, day.daysInMonth] : [day.dayOfYear, day.daysInYear];
  return weekdays.some((text) => {
    const nth = Number.parseInt(text, 10) || 0;
    if (text.slice(-2) !== WEEKDAYS[day.dayOfWeek - 1]) return false;
    return nth === 0 || either([nth], Math.ceil(at / 7), Math.ceil(at / 7) + Math.ceil((length - at + 1) / 7) - 1);
  });
}

function either(list: number[], number: number, length: number): boolean {
  return list.includes(number) || list.includes(number - length - 1);
}

function weekOf(day: Temporal.PlainDate, weekStart: string): { year: number; week: number; weeks: number } {
  const firstDay = (year: number): Temporal.PlainDate => {
    const fourth = Temporal.PlainDate.from({ year, month: 1, day: 4 });
    return fourth.subtract({ days: (fourth.dayOfWeek - 1 - WEEKDAYS.indexOf(weekStart) + 7) % 7 });
  };
  const year = [day.year + 1, day.year, day.year - 1].find((each) => Temporal.PlainDate.compare(firstDay(each), day) <= 0)!;
  const weeksUntil = (to: Temporal.PlainDate) => Math.floor(firstDay(year).until(to, { largestUnit: 'days' }).days / 7);
  return { year, week: weeksUntil(day) + 1, weeks: weeksUntil(firstDay(year + 1)) };
}

function timesOf({ BYHOUR, BYMINUTE }: SlowRule, { hour, minute, second }: Temporal.PlainDateTime): string[] {
  const all = (BYHOUR ?? [hour]).flatMap((h) =>
    (BYMINUTE ?? [minute]).map((m) => new Temporal.PlainTime(h, m, second).toString({ smallestUnit: 'second' })),
  );
  return [...new Set(all)].sort();
}

function positioned({ BYSETPOS }: SlowRule, moments: string[]): string[] {
  return BYSETPOS ? moments.filter((_, index) => either(BYSETPOS, index + 1, moments.length)) : moments;
}

import { Link } from 'react-router';
import { useLanguage } from '../../design/use-language.ts';
import type { CalendarDay, CalendarFacts, CalendarStep } from '../../model/lists.ts';

interface Props {
  calendar: CalendarFacts;
  today: string;
}

/** Weeks as a table: each day leads to its list. */
export function CalendarView({ calendar, today }: Props) {
  const { text, formats } = useLanguage();
  const { month, until, previous, next, weeks } = calendar;
  const year = month.slice(0, 4) === until.slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  const last = formats.date(`${until}-01`, { month: 'long', year: 'numeric' });
  const name = month === until ? last : `${formats.date(`${month}-01`, { month: 'long', ...year })} – ${last}`;
  return (
    <section className="calendar" aria-labelledby="month">
      <div className="calendar-head">
        <h2 id="month">{name}</h2>
        <nav className="cluster" aria-label={text('calendar.months')}>
          <Step rel="prev" step={previous} />
          <Step rel="next" step={next} />
        </nav>
      </div>
      <table>
        <thead>
          <tr>
            {weekdays(weeks).map((date) => (
              <th key={date} scope="col" abbr={formats.date(date, { weekday: 'long' })}>
                {formats.date(date, { weekday: 'short' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find((day) => day !== null)?.date}>
              {week.map((day, place) =>
                day === null ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a day of another month has its place alone.
                  <td key={place} className="calendar-other" />
                ) : (
                  <Day key={day.date} day={day} isToday={day.date === today} isNamed={month !== until && isFirst(day)} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Step({ step, rel }: { step: CalendarStep | null; rel: 'prev' | 'next' }) {
  const { formats } = useLanguage();
  if (step === null) return null;
  return (
    <Link className="button small" rel={rel} to={step.path}>
      {formats.date(`${step.month}-01`, { month: 'long' })}
    </Link>
  );
}

const isFirst = ({ date }: CalendarDay): boolean => date.endsWith('-01');

interface DayProps {
  day: CalendarDay;
  isToday: boolean;
  /** With its month. */
  isNamed: boolean;
}

function Day({ day: { date, count, titles, path }, isToday, isNamed }: DayProps) {
  const { text, formats } = useLanguage();
  const number = formats.date(date, { day: 'numeric', ...(isNamed && { month: 'short' }) });
  return (
    <td aria-current={isToday ? 'date' : undefined} className={count === 0 ? 'calendar-empty' : undefined}>
      {count === 0 ? (
        <span className="calendar-number">{number}</span>
      ) : (
        <Link to={path} aria-label={`${formats.longDay(date)}: ${text('events.count', { count })}`}>
          <span className="calendar-number">{number}</span>
          <span className="calendar-count">{formats.number(count)}</span>
          <span className="calendar-titles">
            {titles.map((title) => (
              <span key={title}>{title}</span>
            ))}
          </span>
        </Link>
      )}
    </td>
  );
}

/** A date for each column. */
function weekdays(weeks: CalendarFacts['weeks']): string[] {
  const [week = []] = weeks;
  const place = week.findIndex((day) => day !== null);
  const known = Date.parse(`${week[place]?.date}T00:00:00Z`);
  return week.map((_, at) => new Date(known + (at - place) * DAY_MS).toISOString().slice(0, 10));
}

const DAY_MS = 86_400_000;

import { Link } from 'react-router';
import { useLanguage } from '../../design/use-language.ts';
import type { CalendarDay, CalendarFacts } from '../../model/lists/list-facts.ts';
import { eventsPath, type ListQuery } from '../../model/lists/list-paths.ts';

interface Props {
  calendar: CalendarFacts;
  query: ListQuery;
  today: string;
}

/** A month as a table: each day leads to its list. */
export function CalendarView({ calendar, query, today }: Props) {
  const { text, formats } = useLanguage();
  const { month, previous, next, weeks } = calendar;
  const name = formats.date(`${month}-01`, { month: 'long', year: 'numeric' });
  const pathOf = (other: string) => eventsPath(query, { view: 'calendar', month: other });
  return (
    <section className="calendar" aria-labelledby="month">
      <div className="calendar-head">
        <h2 id="month">{name}</h2>
        <nav className="cluster" aria-label={text('calendar.months')}>
          {previous === null ? null : (
            <Link className="button small" rel="prev" to={pathOf(previous)}>
              {formats.date(`${previous}-01`, { month: 'long' })}
            </Link>
          )}
          {next === null ? null : (
            <Link className="button small" rel="next" to={pathOf(next)}>
              {formats.date(`${next}-01`, { month: 'long' })}
            </Link>
          )}
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
                  <Day key={day.date} day={day} isToday={day.date === today} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Day({ day: { date, count, titles, path }, isToday }: { day: CalendarDay; isToday: boolean }) {
  const { text, formats } = useLanguage();
  const number = formats.date(date, { day: 'numeric' });
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

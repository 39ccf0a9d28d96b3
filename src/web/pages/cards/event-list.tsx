import { useLanguage } from '../../design/use-language.ts';
import type { EventCardFacts } from '../../model/lists.ts';
import { EventCard } from './event-card.tsx';

interface Props {
  events: readonly EventCardFacts[];
  /** With a heading for each day. */
  isByDay: boolean;
  /** The city's day, `YYYY-MM-DD`. */
  today: string;
}

/** A page of a list of events, in its order. */
export function EventList({ events, isByDay, today }: Props) {
  const { formats, text } = useLanguage();
  if (!isByDay) return <CardGrid events={events} level={2} />;
  const days = [...Map.groupBy(events, ({ startDatetime }) => startDatetime.slice(0, 10))];
  return (
    <>
      {days.map(([day, onDay], at) => (
        <section key={day} className="list-day" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`} className="list-day-name">
            {formats.date(day, DAY)} {day === today ? <span className="quiet">{text('when.today')}</span> : null}
          </h2>
          <CardGrid events={onDay} level={3} isOnDay isFirst={at === 0} />
        </section>
      ))}
    </>
  );
}

interface GridProps {
  events: readonly EventCardFacts[];
  level: 2 | 3;
  isOnDay?: boolean;
  /** The first row is seen at once. */
  isFirst?: boolean;
}

export function CardGrid({ events, level, isOnDay = false, isFirst = true }: GridProps) {
  return (
    <ul className="card-grid">
      {events.map((event, at) => (
        <li key={event.id}>
          <EventCard event={event} level={level} isOnDay={isOnDay} isFirst={isFirst && at < FIRST_ROW} />
        </li>
      ))}
    </ul>
  );
}

const DAY = { weekday: 'long', month: 'long', day: 'numeric' } as const;
/** Cards that may be seen at once, on a wide screen. */
export const FIRST_ROW = 4;

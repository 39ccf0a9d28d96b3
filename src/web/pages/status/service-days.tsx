import { Badge } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import { useFormats, useText } from '../../design/use-language.ts';
import type { PublicStatus } from '../../model/service-status.ts';

type Surface = PublicStatus['surfaces'][number];
type Day = Surface['days'][number];

/** One service: a bar for each of 90 days, and the same as a table. */
export function ServiceDays({ surface: { name, state, availability, days } }: { surface: Surface }) {
  const text = useText();
  const formats = useFormats();
  const service = text(`service.surface.${name}`);
  const known = days.filter((day) => day.counted > 0);
  const share = (value: number | null) => (value === null ? '–' : formats.number(Math.floor(value * 10_000) / 100, 2));
  const describe = (day: Day) =>
    day.counted === 0
      ? text('service.dayUnknown', { day: formats.day(day.date) })
      : text('service.day', { day: formats.day(day.date), percent: share(day.availability), count: day.down });
  const step = 100 / days.length;
  return (
    <article className="service-days" aria-labelledby={`service-${name}`}>
      <header>
        <h3 id={`service-${name}`}>{service}</h3>
        {state === 'operational' ? null : (
          <Badge kind={state === 'outage' ? 'bad' : 'warn'}>{text(`service.state.${state}`)}</Badge>
        )}
        <p className="number">{availability === null ? null : text('service.availability', { percent: share(availability) })}</p>
      </header>
      <svg
        className="service-bars"
        height={HEIGHT}
        role="img"
        aria-label={text('service.bars', { service, count: known.length, percent: share(availability) })}
      >
        {days.map((day, i) => (
          <rect
            key={day.date}
            className={levelOf(day)}
            x={`${i * step + step * 0.13}%`}
            y={levelOf(day) === 'none' ? HEIGHT - SHORT : 0}
            width={`${step * 0.74}%`}
            height={levelOf(day) === 'none' ? SHORT : HEIGHT}
            rx={1.5}
          >
            <title>{describe(day)}</title>
          </rect>
        ))}
      </svg>
      <p className="service-axis small quiet" aria-hidden="true">
        <span>{text('service.daysAgo', { count: days.length })}</span>
        <span>{text('service.today')}</span>
      </p>
      <details className="small">
        <summary>{text('service.asTable', { service })}</summary>
        {known.length === 0 ? (
          <p className="quiet">{text('service.noDays')}</p>
        ) : (
          <DataTable
            caption={service}
            head={[
              text('service.column.day'),
              { text: text('service.column.availability'), number: true },
              { text: text('service.column.down'), number: true },
              { text: text('service.column.requests'), number: true },
              { text: text('service.column.failed'), number: true },
              { text: text('service.column.p50'), number: true },
              { text: text('service.column.p95'), number: true },
            ]}
          >
            {known.toReversed().map((day) => (
              <tr key={day.date}>
                <td>{formats.day(day.date)}</td>
                <td className="number">{share(day.availability)}</td>
                <td className="number">{formats.number(day.down)}</td>
                <td className="number">{formats.number(day.answers)}</td>
                <td className="number">{formats.number(day.failed)}</td>
                <td className="number">{describeDuration(day, day.p50)}</td>
                <td className="number">{describeDuration(day, day.p95)}</td>
              </tr>
            ))}
          </DataTable>
        )}
      </details>
    </article>
  );

  function describeDuration({ answers }: Day, ms: number | null): string {
    if (answers === 0) return '–';
    return ms === null ? '> 10 s' : `≤ ${formats.number(ms, 1)} ms`;
  }
}

function levelOf({ availability }: Day): string {
  if (availability === null) return 'none';
  if (availability >= FULL) return 'full';
  return availability >= MOST ? 'most' : 'part';
}

/** Less than a minute of a day is missing; less than half an hour. */
const FULL = 0.9993;
const MOST = 0.98;
/** CSS pixels. */
const HEIGHT = 36;
const SHORT = 6;

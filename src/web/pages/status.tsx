import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { StatusReport } from '../../status/index.ts';
import { Badge, Notice } from '../design/notice.tsx';
import { DataTable } from '../design/table.tsx';
import { useFormats, useText } from '../design/use-language.ts';
import { useRoot } from '../design/use-root.ts';
import { rooms } from '../server/rooms.ts';
import { Sources } from './source-table.tsx';
import './status.css';

export const handle = { isStatic: true, isFresh: true };

export const loader = ({ context }: LoaderFunctionArgs) => context.get(rooms).status();

export default function StatusPage() {
  const status = useLoaderData<typeof loader>();
  const text = useText();
  const formats = useFormats();
  const city = useRoot()?.city.name ?? text('site.yourCity');
  const { state, at, parts, backups, incidents, surfaces, isHistoryComplete, readAt } = status;
  const isAway = parts.some(({ name, state }) => name === 'database' && state === 'down');
  const open = (incidents ?? []).filter(({ closedAt }) => closedAt === null);
  const over = (incidents ?? []).filter(({ closedAt }) => closedAt !== null);
  return (
    <div className="column gap stack loose service">
      <title>{`${text('service.title')} · ${city}`}</title>
      <meta name="description" content={text('service.description', { city })} />
      <link rel="alternate" type="application/rss+xml" href="/status.rss" title={text('service.incidents')} />
      <header className={`service-head ${state}`}>
        <p className="eyebrow">{text('service.title')}</p>
        <h1>
          <Sign state={state} /> {text(`service.headline.${state}`)}
        </h1>
        <p className="quiet">{text('service.updated', { moment: `${formats.moment(at, 'UTC')} UTC` })}</p>
      </header>
      {isAway ? (
        <Notice kind="warn" title={text('service.away')}>
          {readAt === null
            ? text('service.awayNothing')
            : text('service.awaySince', { moment: `${formats.moment(readAt, 'UTC')} UTC` })}
        </Notice>
      ) : null}
      {open.length > 0 ? (
        <section className="stack" aria-label={text('service.openIncidents')}>
          <Incidents incidents={open} isOpen />
        </section>
      ) : null}
      <section className="stack loose" aria-labelledby="services">
        <div>
          <h2 id="services">{text('service.days')}</h2>
          <p className="quiet small">{isHistoryComplete ? text('service.daysHint') : text('service.daysLoading')}</p>
        </div>
        {surfaces.map((surface) => (
          <ServiceDays key={surface.name} surface={surface} />
        ))}
      </section>
      <Parts parts={parts} backups={backups} />
      <Sources status={status} />
      {over.length > 0 || (incidents !== null && open.length === 0) ? (
        <section className="stack" aria-labelledby="incidents">
          <h2 id="incidents">{text('service.incidents')}</h2>
          {over.length > 0 ? <Incidents incidents={over} /> : <p className="quiet">{text('service.noIncidents')}</p>}
        </section>
      ) : null}
      <p className="cluster small">
        <a href="/status.json">JSON</a>
        <a href="/status.rss">RSS</a>
      </p>
    </div>
  );
}

/** A mark beside the words, so that the color is not alone. */
export function Sign({ state }: { state: StatusReport['state'] | 'unknown' }) {
  return (
    <svg className={`service-sign ${state}`} viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="9" />
      <path d={SIGNS[state]} />
    </svg>
  );
}

function Parts({ parts, backups }: Pick<StatusReport, 'parts' | 'backups'>) {
  const text = useText();
  const formats = useFormats();
  return (
    <section className="stack" aria-labelledby="parts">
      <h2 id="parts">{text('service.parts')}</h2>
      <ul className="service-parts">
        {parts.map(({ name, state, since }) => (
          <li key={name}>
            <Sign state={state === 'ok' ? 'operational' : state === 'unknown' ? 'unknown' : 'degraded'} />
            <span>
              <strong>{text(`service.part.${name}`)}</strong>
              <span className="small quiet">
                {text(`service.partState.${state}`)}
                {since === null ? '' : `, ${text('service.since', { moment: `${formats.moment(since, 'UTC')} UTC` })}`}
                {name === 'backups' && backups ? `, ${describeNewest(backups.newestAt)}` : ''}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );

  function describeNewest(newestAt: number | null): string {
    if (newestAt === null) return text('service.noBackup');
    return text('service.newestBackup', { moment: `${formats.moment(newestAt, 'UTC')} UTC` });
  }
}

interface Props {
  incidents: NonNullable<StatusReport['incidents']>;
  isOpen?: boolean;
}

/** Incidents in the operator's own words, which are in one language. */
function Incidents({ incidents, isOpen = false }: Props) {
  const text = useText();
  const formats = useFormats();
  return incidents.map(({ id, title, impact, openedAt, closedAt, updates }) => (
    <article key={id} id={`incident-${id}`} className={`service-incident ${isOpen ? impact : ''}`}>
      <header>
        {isOpen ? (
          <h2>
            <bdi>{title}</bdi>
          </h2>
        ) : (
          <h3>
            <bdi>{title}</bdi>
          </h3>
        )}
        <p className="cluster">
          <Badge kind={isOpen ? (impact === 'major' ? 'bad' : 'warn') : 'plain'}>{text(`service.impact.${impact}`)}</Badge>
          <span className="small quiet">
            {closedAt === null
              ? text('service.since', { moment: `${formats.moment(openedAt, 'UTC')} UTC` })
              : text('time.range', { from: formats.moment(openedAt, 'UTC'), to: `${formats.moment(closedAt, 'UTC')} UTC` })}
          </span>
        </p>
      </header>
      <ol className="service-updates">
        {updates.map(({ id, at, state, message }) => (
          <li key={id}>
            <p className="small">
              <strong>{text(`service.incidentState.${state}`)}</strong>{' '}
              <span className="quiet">{`${formats.moment(at, 'UTC')} UTC`}</span>
            </p>
            <p className="service-words">
              <bdi>{message}</bdi>
            </p>
          </li>
        ))}
      </ol>
    </article>
  ));
}

type Surface = StatusReport['surfaces'][number];

type Day = Surface['days'][number];

/** One service: a bar for each of 90 days, and the same as a table. */
function ServiceDays({ surface: { name, state, availability, days } }: { surface: Surface }) {
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
          <DayTable service={service} days={known} share={share} />
        )}
      </details>
    </article>
  );
}

/** The latest day first. `share` writes a share in percent. */
function DayTable({ service, days, share }: { service: string; days: readonly Day[]; share(value: number | null): string }) {
  const text = useText();
  const formats = useFormats();
  const describeDuration = ({ answers }: Day, ms: number | null): string => {
    if (answers === 0) return '–';
    return ms === null ? '> 10 s' : `≤ ${formats.number(ms, 1)} ms`;
  };
  return (
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
      {days.toReversed().map((day) => (
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
  );
}

function levelOf({ availability }: Day): string {
  if (availability === null) return 'none';
  if (availability >= FULL) return 'full';
  return availability >= MOST ? 'most' : 'part';
}

const SIGNS: Readonly<Record<StatusReport['state'] | 'unknown', string>> = {
  operational: 'M6 10.4l2.8 2.8L14.2 7.4',
  degraded: 'M10 5.5v5.2M10 14v.3',
  outage: 'M7 7l6 6M13 7l-6 6',
  unknown: 'M6.5 10h7',
};
/** Less than a minute of a day is missing; less than half an hour. */
const FULL = 0.9993;
const MOST = 0.98;
/** CSS pixels. */
const HEIGHT = 36;
const SHORT = 6;

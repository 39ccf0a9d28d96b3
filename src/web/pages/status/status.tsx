import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { Notice, Badge } from '../../design/notice.tsx';
import { useFormats, useText } from '../../design/use-language.ts';
import { useRoot } from '../../design/use-root.ts';
import type { PublicStatus } from '../../model/service-status.ts';
import { rooms } from '../../server/rooms.ts';
import { ServiceDays } from './service-days.tsx';
import { Sources } from './sources.tsx';
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
export function Sign({ state }: { state: PublicStatus['state'] | 'unknown' }) {
  return (
    <svg className={`service-sign ${state}`} viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="9" />
      <path d={SIGNS[state]} />
    </svg>
  );
}

function Parts({ parts, backups }: Pick<PublicStatus, 'parts' | 'backups'>) {
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
  incidents: NonNullable<PublicStatus['incidents']>;
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

const SIGNS: Readonly<Record<PublicStatus['state'] | 'unknown', string>> = {
  operational: 'M6 10.4l2.8 2.8L14.2 7.4',
  degraded: 'M10 5.5v5.2M10 14v.3',
  outage: 'M7 7l6 6M13 7l-6 6',
  unknown: 'M6.5 10h7',
};

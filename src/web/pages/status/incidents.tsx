import { Badge } from '../../design/notice.tsx';
import { useFormats, useText } from '../../design/use-language.ts';
import type { PublicStatus } from '../../model/service-status.ts';

interface Props {
  incidents: NonNullable<PublicStatus['incidents']>;
  isOpen?: boolean;
}

/** Incidents in the operator's own words, which are in one language. */
export function Incidents({ incidents, isOpen = false }: Props) {
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

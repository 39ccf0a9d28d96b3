import { useLoaderData } from 'react-router';
import { Marked } from '../../design/code.tsx';
import { Badge } from '../../design/notice.tsx';
import { formatDay } from '../../model/format.ts';
import { readApiChanges } from '../../server/api-changes.ts';
import { Reference } from './parts.tsx';

export const handle = { isStatic: true };

export const loader = () => readApiChanges();

/** What changed for callers, by day. */
export default function Changelog() {
  const changes = useLoaderData<typeof loader>();
  const days = [...new Set(changes.map(({ date }) => date))];
  return (
    <Reference
      title="Changelog"
      contents={days.map((day) => ({
        name: formatDay(day),
        entries: changes.filter(({ date }) => date === day).map(({ anchor, title }) => ({ anchor, text: title })),
      }))}
    >
      <meta name="description" content="What changed for callers of the API, the latest first." />
      <link rel="alternate" type="application/rss+xml" href="/changelog.rss" title="Changelog" />
      <p className="lead">
        Everything that changed for callers of the API. See <a href="/docs/deprecation">deprecations</a> for what will go, or
        follow the changelog by <a href="/changelog.rss">RSS</a>.
      </p>
      {days.map((day) => (
        <section key={day} className="stack" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>
            <time dateTime={day}>{formatDay(day)}</time>
          </h2>
          {changes
            .filter(({ date }) => date === day)
            .map(({ anchor, kind, title, text }) => (
              <section key={anchor} id={anchor} className="operation">
                <h3>
                  {title} <Badge kind={kind === 'added' ? 'good' : kind === 'changed' ? 'plain' : 'warn'}>{KINDS[kind]}</Badge>
                </h3>
                <p>
                  <Marked text={text} />
                </p>
              </section>
            ))}
        </section>
      ))}
    </Reference>
  );
}

const KINDS = { added: 'Added', changed: 'Changed', deprecated: 'Deprecated', removed: 'Removed' } as const;

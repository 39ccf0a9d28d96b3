import type { ReactNode } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PageHead } from '../design/admin-layout.tsx';
import { formatNumber, formatWord } from '../model/format.ts';
import { readOverview } from '../server/desk-overview.ts';
import { requireOperator } from '../server/viewer.ts';
import { Outcome } from './oversight/change-counts.tsx';
import { Condition } from './oversight/condition.tsx';
import { TimeAway, Words } from './oversight/moments.tsx';
import './oversight/oversight.css';

export async function loader(page: LoaderFunctionArgs) {
  await requireOperator(page);
  return readOverview(page.context);
}

export default function Overview() {
  const { needs, conditions, directory, nothingTrends, changes, runs, acts } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Overview">The state of the directory, and what needs your attention.</PageHead>
      <section className="stack" aria-labelledby="needs">
        <h2 id="needs">Needs attention</h2>
        {needs.length === 0 ? (
          <p className="all-well">Nothing. All sources are healthy, and no question or report is open.</p>
        ) : (
          <ul className="needs">
            {needs.map(({ to, kind, title, text }) => (
              <li key={to + title} className={kind}>
                <Link to={to}>
                  <span className="label">
                    <Words>{title}</Words>
                  </span>
                  <span className="small">
                    <Words>{text}</Words>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className="stack" aria-labelledby="directory">
        <h2 id="directory">The directory</h2>
        <dl className="tiles">
          <Tile name="upcoming events, listed" value={directory.listed} isMain />
          <Tile name="canceled in the next 7 days" value={directory.cancelledSoon} />
          <Tile name="unconfirmed: no source lists them any more" value={directory.unconfirmed} />
          <Tile name="unlisted: unconfirmed for days" value={directory.unlisted} />
          <Tile name="hidden by an operator" value={directory.hidden} />
          <Tile name="verified venues" value={directory.venues} />
        </dl>
        {nothingTrends ? <p className="quiet">{`Nothing is trending: ${nothingTrends}.`}</p> : null}
      </section>
      <section className="stack" aria-labelledby="sources">
        <h2 id="sources">Sources</h2>
        {conditions.length === 0 ? (
          <p className="quiet">
            No sources yet. <Link to="/desk/sources">Add a source</Link>
          </p>
        ) : (
          <ul className="cluster">
            {conditions.map(({ name, count }) => (
              <li key={name} className="cluster condition-count">
                <Condition name={name} /> <span className="number">{count}</span>
              </li>
            ))}
            <li>
              <Link to="/desk/sources">All sources</Link>
            </li>
          </ul>
        )}
      </section>
      <div className="halves">
        <div className="stack loose">
          <Recent title="Last runs" none="No run yet.">
            {runs.map(({ id, source, kind, state, started, summary }) => (
              <li key={id}>
                <Link to={`/desk/runs/${id}`}>
                  <Words>{source?.name ?? KINDS[kind]}</Words>
                </Link>
                <Outcome state={state} summary={summary} />
                <TimeAway at={started} />
              </li>
            ))}
          </Recent>
          <Recent title="Recent activity" none="Nothing yet." more={{ to: '/desk/audit', text: 'Audit log' }}>
            {acts.map(({ id, actor, action, at }) => (
              <li key={id}>
                <Words>{actor}</Words>
                <code>{action}</code>
                <TimeAway at={at} />
              </li>
            ))}
          </Recent>
        </div>
        <Recent title="Last changes" none="Nothing changed yet.">
          {changes.map(({ key, kind, entity, title, to, at }) => (
            <li key={key}>
              <span>
                {to ? (
                  <Link to={to}>
                    <Words>{title}</Words>
                  </Link>
                ) : (
                  <Words>{title}</Words>
                )}
              </span>
              <span className="quiet small">
                {entity} {formatWord(kind)}
              </span>
              <TimeAway at={at} />
            </li>
          ))}
        </Recent>
      </div>
    </>
  );
}

function Tile({ name, value, isMain = false }: { name: string; value: number; isMain?: boolean }) {
  return (
    <div className={isMain ? 'tile main' : 'tile'}>
      <dt className="small quiet">{name}</dt>
      <dd className={value === 0 ? 'figure quiet' : 'figure'}>{formatNumber(value)}</dd>
    </div>
  );
}

function Recent({
  title,
  none,
  more,
  children,
}: {
  title: string;
  none: string;
  more?: { to: string; text: string };
  children: readonly ReactNode[];
}) {
  return (
    <section className="stack tight">
      <h2 className="recent-head">{title}</h2>
      {children.length === 0 ? <p className="quiet">{none}</p> : <ul className="recent">{children}</ul>}
      {more ? <Link to={more.to}>{more.text}</Link> : null}
    </section>
  );
}

const KINDS = { ingest: 'a removed source', undo: 'an undone run', decision: 'a decision' } as const;

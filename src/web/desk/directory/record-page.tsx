import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Notice } from '../../design/notice.tsx';
import type { DrawnMap } from '../../model/desk/drawings.ts';
import type { RecordView, RejectedAction } from '../../model/desk/record.ts';
import { FieldRow } from './field-row.tsx';
import { Hiding } from './hiding.tsx';
import { History } from './history.tsx';
import { Listings } from './listings.tsx';
import { Merge } from './merge.tsx';
import { StateBadge } from './state.tsx';
import './directory.css';

/** An event or venue: every field with its source, and all that an operator may do to it. */
export function RecordPage({
  view,
  refused,
  facts,
}: {
  view: RecordView;
  refused: RejectedAction | undefined;
  facts: ReactNode;
}) {
  const { entity, id, title, state, fields, listings, hidden, history, map, merge, token, done, cameFrom } = view;
  const isThere = fields.length > 0 && state !== 'removed' && state !== 'merged';
  const isElsewhere = refused && refused.field === null && !PLACED.has(refused.intent);
  return (
    <>
      <PageHead title={title} kind={entity === 'event' ? 'Event' : 'Venue'}>
        <StateBadge state={state} />
      </PageHead>
      {isElsewhere ? <Notice kind="bad">{refused.error}</Notice> : null}
      {done && !refused ? <Notice kind="good">{done}</Notice> : null}
      {cameFrom ? (
        <Notice>
          <code>{cameFrom}</code> was merged into this {entity}.
        </Notice>
      ) : null}
      {view.isVenueHidden ? <Notice kind="warn">The venue is hidden, so this event is hidden too.</Notice> : null}
      {state === 'removed' ? <Notice kind="warn">No source lists it any more. Its address returns 410.</Notice> : null}
      <div className="record-head">
        <dl className="facts">
          {facts}
          <dt>Object ID</dt>
          <dd>
            <code>{id}</code>
          </dd>
          <dt>Slug</dt>
          <dd>
            <code>{view.slug}</code>
          </dd>
        </dl>
        {map ? <SpotMap map={map} /> : null}
      </div>
      {isThere ? (
        <section className="stack" aria-labelledby="fields">
          <h2 id="fields">Fields</h2>
          <div className="record-fields">
            {fields.map((field) => (
              <FieldRow key={field.field} view={field} refused={refused} />
            ))}
          </div>
        </section>
      ) : null}
      <section className="stack" aria-labelledby="listings">
        <h2 id="listings">Listings</h2>
        <Listings entity={entity} listings={listings} token={token} refused={refused} />
      </section>
      {isThere ? (
        <div className="halves">
          <section className="card stack" aria-labelledby="merge">
            <h2 id="merge">Merge with another</h2>
            <Merge entity={entity} id={id} token={token} refused={refused} query={merge.query} candidates={merge.candidates} />
          </section>
          <section className="card stack" aria-labelledby="hiding">
            <h2 id="hiding">{hidden ? 'Hidden' : 'Hide'}</h2>
            <Hiding entity={entity} hidden={hidden} refused={refused} />
          </section>
        </div>
      ) : null}
      <section className="stack" aria-labelledby="history">
        <h2 id="history">History</h2>
        <History entries={history} token={token} />
      </section>
      <p>
        <Link to={`/desk/${entity}s`}>All {entity}s</Link>
      </p>
    </>
  );
}

function SpotMap({ map }: { map: DrawnMap }) {
  return (
    <svg className="spot-map" viewBox={`0 0 ${map.width} ${map.height}`} role="img" aria-label={`Map. ${map.says}`}>
      {map.areas.map(({ name, path }) => (
        <path key={name} d={path} className="area" />
      ))}
      {map.labels.map(({ x, y, text }) => (
        <text key={text} x={x} y={y} textAnchor="middle">
          {text}
        </text>
      ))}
      {map.marks.map(({ letter, x, y }) => (
        <circle key={letter} cx={x} cy={y} r="7" className="mark" />
      ))}
    </svg>
  );
}

/** Intents whose errors are beside their forms. */
const PLACED: ReadonlySet<string> = new Set(['correct', 'merge', 'split', 'hide']);

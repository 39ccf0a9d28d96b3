import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Field } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Badge, Notice } from '../../design/notice.tsx';
import type {
  Entity,
  FormattedMoment,
  HistoryView,
  ListingView,
  MergeCandidate,
  RecordView,
  RejectedAction,
} from '../../model/desk.ts';
import type { DrawnMap } from '../../model/map.ts';
import { TimeText } from '../oversight/moments.tsx';
import { FieldRow } from './field-row.tsx';
import { StateBadge } from './state.tsx';
import './directory.css';
import { DataTable } from '../../design/table.tsx';

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

/** Not to be published, or published again. */
function Hiding({ entity, hidden, refused }: HidingProps) {
  if (hidden) {
    return (
      <PostForm>
        <p>
          Hidden by {hidden.by}, <TimeText at={hidden.at} />
          {hidden.note ? `: ${hidden.note}` : ''}.
        </p>
        <div>
          <Submit intent="unhide">Publish again</Submit>
        </div>
      </PostForm>
    );
  }
  const refusal = refused?.intent === 'hide' ? refused : undefined;
  const errors = refusal && { [refusal.isOfNote ? 'note' : 'form']: refusal.error };
  return (
    <PostForm errors={errors}>
      <p className="quiet">
        Hide records that must not be published, such as spam or a private home. A hidden record leaves the lists, and its address
        returns 410, also after later runs and imports{entity === 'venue' ? '. The same applies to all its events' : ''}.
      </p>
      <Field label="Reason (optional)" name="note" maxLength={1000} error={errors?.note} defaultValue={refusal?.typed.note} />
      <div>
        <Submit intent="hide" kind="danger">
          Hide
        </Submit>
      </div>
    </PostForm>
  );
}

interface HidingProps {
  entity: Entity;
  hidden: { by: string; at: FormattedMoment; note: string | null } | null;
  refused: RejectedAction | undefined;
}

/** What happened, the newest first; an active decision of an operator can be undone. */
function History({ entries, token }: { entries: readonly HistoryView[]; token: string }) {
  if (entries.length === 0) return <p className="quiet">No history yet.</p>;
  return (
    <ol className="history">
      {entries.map(({ key, at, what, by, note, changes, act }) => (
        <li key={key}>
          <p className="quiet small">
            <TimeText at={at} /> ({at.away}){by ? `, ${by}` : ''}
          </p>
          <p>
            {what}
            {note ? <span className="quiet">: {note}</span> : null}
          </p>
          {changes.map(({ field, before, after }) => (
            <p key={field} className="small">
              <strong>{field}</strong>: <del>{before === '' ? 'nothing' : before}</del> →{' '}
              <ins>{after === '' ? 'nothing' : after}</ins>
            </p>
          ))}
          {act ? (
            <PostForm className="cluster" token={`${token} ${key}`}>
              <input type="hidden" name="act" value={act} />
              <Submit intent="undo" kind="" small>
                Undo
              </Submit>
            </PostForm>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

/** Look for the other one, then say that they are one. */
function Merge({ entity, id, query, candidates, token, refused }: MergeProps) {
  return (
    <div className="stack">
      <search>
        <Form className="form inline seek" action={`/desk/${entity}s/${id}`} preventScrollReset>
          <Field
            label={`The other ${entity}`}
            hint="Words of the title, the slug or the object ID"
            name="merge"
            defaultValue={query}
            maxLength={200}
          />
          <button type="submit" className="button">
            Find
          </button>
        </Form>
      </search>
      {refused?.intent === 'merge' ? (
        <p className="field" role="alert">
          <span className="error">{refused.error}</span>
        </p>
      ) : null}
      {query !== '' && candidates.length === 0 ? <p className="quiet">No other record matches.</p> : null}
      {candidates.length > 0 ? (
        <ul className="candidates">
          {candidates.map((candidate) => (
            <li key={candidate.id} className="cluster spread">
              <span>
                <Link to={`/desk/${entity}s/${candidate.id}`}>{candidate.title}</Link>
                <br />
                <span className="quiet small">{candidate.detail}</span>
              </span>
              <PostForm className="cluster" token={`${token} ${candidate.id.slice(-12)}`}>
                <input type="hidden" name="other" value={candidate.id} />
                <Submit intent="merge" kind="" small>
                  Merge <span className="visually-hidden">with {candidate.title}</span>
                </Submit>
              </PostForm>
            </li>
          ))}
        </ul>
      ) : null}
      <p className="quiet small">
        The older record keeps its id, and the other id redirects to it. You can undo this in the history.
      </p>
    </div>
  );
}

interface MergeProps {
  entity: Entity;
  id: string;
  query: string;
  candidates: readonly MergeCandidate[];
  token: string;
  refused: RejectedAction | undefined;
}

/** Listings; of several listings some can be split off. */
function Listings({ entity, listings, token, refused }: Props) {
  const present = listings.filter(({ isGone }) => !isGone);
  const mayPart = present.length > 1;
  const table = (
    <DataTable
      stacks={!mayPart}
      caption="Listings of all sources"
      head={[...(mayPart ? ['Split off'] : []), 'Source', 'Listing', 'Object ID', 'Last confirmed', 'Repairs']}
    >
      {listings.map(({ id, source, externalId, url, title, confirmed, isGone, isBundle, repairs }) => (
        <tr key={id}>
          {mayPart ? (
            <td>
              {isGone ? null : (
                <input type="checkbox" name="listing" value={id} aria-label={`Split off “${title}” of ${source}`} />
              )}
            </td>
          ) : null}
          <td>{source}</td>
          <td>
            {url ? (
              <a href={url} rel="noreferrer nofollow ugc">
                {title}
              </a>
            ) : (
              title
            )}{' '}
            {isGone ? <Badge>no longer listed</Badge> : null} {isBundle ? <Badge>bundle</Badge> : null}
          </td>
          <td>
            <code>{externalId}</code>
          </td>
          <td>
            <TimeText at={confirmed} />
          </td>
          <td>{repairs}</td>
        </tr>
      ))}
    </DataTable>
  );
  if (!mayPart) return table;
  const errors = refused?.intent === 'split' ? { form: refused.error } : undefined;
  return (
    <PostForm className="form wide" token={`${token} split`} errors={errors}>
      {table}
      <p className="quiet small">
        The listings you choose become a separate {entity} with its own id. All later runs respect this decision. You can undo it
        in the history.
      </p>
      <div>
        <Submit intent="split" kind="danger">
          Split off
        </Submit>
      </div>
    </PostForm>
  );
}

interface Props {
  entity: Entity;
  listings: readonly ListingView[];
  token: string;
  refused: RejectedAction | undefined;
}

/** Intents whose errors are beside their forms. */
const PLACED: ReadonlySet<string> = new Set(['correct', 'merge', 'split', 'hide']);

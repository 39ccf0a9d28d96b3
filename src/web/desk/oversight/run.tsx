import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { readRun, sourceOfPlace } from '../../../ingest/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Notice } from '../../design/notice.tsx';
import type { ChangeView, DifferenceView, Excerpt, FormattedMoment } from '../../model/desk.ts';
import { formatNumber } from '../../model/format.ts';
import { momentsOf, readAct } from '../../server/desk.ts';
import { actOnSource, readExcerpt, undoRun, viewDifference, viewRun } from '../../server/desk-sources.ts';
import { newFormToken, unknownForm } from '../../server/forms.ts';
import { rooms } from '../../server/rooms.ts';
import { requireOperator } from '../../server/viewer.ts';
import { ChangeCounts, KINDS } from './change-counts.tsx';
import { RunState } from './condition.tsx';
import { useLive } from './live.ts';
import { ActionNotice, TimeAway, TimeText, Words } from './moments.tsx';
import './oversight.css';
import { Pager } from '../../design/pager.tsx';

export async function loader(page: LoaderFunctionArgs) {
  await requireOperator(page);
  const opened = page.context.get(rooms);
  const moments = momentsOf(opened);
  const run = await readRun({ store: opened.store, id: page.params.id ?? '' });
  if (!run) throw data(null, { status: 404 });
  const { searchParams } = new URL(page.request.url);
  const excerpt = readExcerpt(new URL(page.request.url), run);
  const { remarks = [], waiting = {}, rejected = [], rejectedCount = 0 } = run.report ?? {};
  return {
    run: viewRun(run, moments),
    difference: viewDifference(run, moments, excerpt),
    excerpt,
    warnings: {
      remarks,
      waiting: Object.entries(waiting).map(([place, count]) => ({
        place: sourceOfPlace(place) === null ? place : 'No place named, and not listed',
        count,
      })),
      rejected: rejected.slice(0, MAX_REJECTS).map(({ line, field, reason }) => ({ line, field, reason })),
      rejectedCount,
    },
    touched: run.touched,
    canUndo: run.kind === 'ingest' && run.touched > 0 && (run.state === 'done' || run.state === 'failed'),
    isAsking: searchParams.has('undo'),
    token: newFormToken(),
    outcome: searchParams.get('said'),
  };
}

export async function action(page: ActionFunctionArgs) {
  const act = await readAct(page);
  const opened = page.context.get(rooms);
  const run = await readRun({ store: opened.store, id: page.params.id ?? '' });
  if (!run) throw data(null, { status: 404 });
  const intent = act.text('intent');
  if (intent === 'release' && run.source) {
    const outcome = await actOnSource(act, opened, 'release', run.source);
    if (outcome === 'unknown') throw data(null, { status: 404 });
    return redirect(`/desk/sources/${run.source.id}?said=${outcome === 'done' ? 'release' : outcome}`);
  }
  if (intent !== 'undo') throw unknownForm();
  const undone = await undoRun(act, opened, run);
  if (undone.ok) return redirect(`/desk/runs/${run.id}?said=${undone.outcome}`);
  return data({ error: undone.reason }, { status: 409 });
}

function ListingsRead({ count }: { count: number | null }) {
  return count === null ? null : <span className="quiet">{`${formatNumber(count)} listing${count === 1 ? '' : 's'} read`}</span>;
}

export default function RunPage() {
  const { run, difference, excerpt, warnings, canUndo, isAsking, touched, token, outcome } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  useLive(run.state === 'running' || (outcome === 'undoing' && run.state !== 'undone'));
  const { source, state } = run;
  return (
    <>
      <RunHead run={run} canUndo={canUndo && !isAsking} />
      {refused?.error ? <Notice kind="bad">{refused.error}</Notice> : <ActionNotice code={outcome} table={SAID} />}
      <p className="cluster">
        <RunState name={state} /> <ChangeCounts summary={run.summary} />
        <ListingsRead count={run.summary?.listings ?? null} />
      </p>
      {run.error ? (
        <Notice
          kind={state === 'held' ? 'warn' : 'bad'}
          title={state === 'held' ? 'Reason for the hold' : 'Reason for the failure'}
        >
          <Words>{run.error}</Words>
        </Notice>
      ) : null}
      {canUndo && isAsking ? <UndoForm touched={touched} token={token} /> : null}
      {state === 'held' && source ? <ReleaseForm sourceId={source.id} started={run.started} token={token} /> : null}
      {difference ? <DifferenceLists difference={difference} excerpt={excerpt} isHeld={state === 'held'} /> : null}
      <RunWarnings warnings={warnings} />
    </>
  );
}

type ShownRun = ReturnType<typeof useLoaderData<typeof loader>>['run'];

function RunHead({ run: { source, kind, started, seconds }, canUndo }: { run: ShownRun; canUndo: boolean }) {
  const name = source?.name ?? 'a removed source';
  const duration = seconds === 0 ? 'less than a second' : `${seconds} s`;
  return (
    <PageHead
      title={kind === 'ingest' ? `Run of ${name}` : RUN_KINDS[kind]}
      kind={started.text}
      actions={
        canUndo ? (
          <Link className="button danger" to="?undo" preventScrollReset>
            Undo run
          </Link>
        ) : null
      }
    >
      <TimeText at={started} />
      {seconds === null ? ', still running' : `, took ${duration}`}.{' '}
      {source ? <Link to={`/desk/sources/${source.id}`}>The source</Link> : null}
    </PageHead>
  );
}

function UndoForm({ touched, token }: { touched: number; token: string }) {
  return (
    <section className="card stack" aria-labelledby="undo">
      <h2 id="undo">Undo this run?</h2>
      <p>
        {touched === 1 ? '1 listing returns to its' : `${formatNumber(touched)} listings return to their`} previous values. Events
        that this run created are removed (410). Everything else it changed is restored. The source is paused, so that its next
        run does not repeat the changes.
      </p>
      <PostForm className="cluster" token={token}>
        <Submit intent="undo" kind="danger">
          Undo run
        </Submit>
        <Link className="button plain" to="." preventScrollReset>
          Cancel
        </Link>
      </PostForm>
    </section>
  );
}

function ReleaseForm({ sourceId, started, token }: { sourceId: string; started: FormattedMoment; token: string }) {
  return (
    <section className="card stack" aria-labelledby="release">
      <h2 id="release">Release this response?</h2>
      <p>
        Below is what this response would have written (read <TimeAway at={started} />
        ). If you release it, the source runs again now, and its new response is written without a sanity check.
      </p>
      <PostForm className="cluster" token={token}>
        <Submit intent="release">Release and run</Submit>
        <Link className="button plain" to={`/desk/sources/${sourceId}`}>
          Keep on hold
        </Link>
      </PostForm>
    </section>
  );
}

interface Warnings {
  remarks: readonly string[];
  /** Listings at places that are no known venue. */
  waiting: readonly { place: string; count: number }[];
  /** The first of them. */
  rejected: readonly { line: number; field: string | null; reason: string }[];
  rejectedCount: number;
}

/** Warnings about the response of the source. */
function RunWarnings({ warnings: { remarks, waiting, rejected, rejectedCount } }: { warnings: Warnings }) {
  if (remarks.length + waiting.length + rejectedCount === 0) return null;
  return (
    <section className="stack" aria-labelledby="odd">
      <h2 id="odd">Warnings</h2>
      {remarks.length > 0 ? (
        <ul className="plain-list">
          {remarks.map((remark) => (
            <li key={remark}>
              <Words>{remark}</Words>
            </li>
          ))}
        </ul>
      ) : null}
      {waiting.length > 0 ? (
        <details>
          <summary>Listings that wait for their place: {waiting.reduce((sum, { count }) => sum + count, 0)}</summary>
          <ul className="plain-list small">
            {waiting.map(({ place, count }) => (
              <li key={place}>
                <Words>{place}</Words> ({count})
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {rejectedCount > 0 ? (
        <details>
          <summary>Rejected listings: {formatNumber(rejectedCount)}</summary>
          <ul className="plain-list small">
            {rejected.map(({ line, field, reason }) => (
              <li key={`${line} ${field} ${reason}`}>
                record {line}
                {field ? `, ${field}` : ''}: <Words>{reason}</Words>
              </li>
            ))}
            {rejectedCount > rejected.length ? <li>and {formatNumber(rejectedCount - rejected.length)} more</li> : null}
          </ul>
        </details>
      ) : null}
    </section>
  );
}

interface Props {
  difference: DifferenceView;
  excerpt: Excerpt & { pages: number };
  isHeld: boolean;
}

/** Every event that is another after a run, by what became of it; or one of these lists, page by page. */
function DifferenceLists({ difference, excerpt, isHeld }: Props) {
  const { part } = excerpt;
  const shown = KINDS.filter(({ name }) => (part === null ? difference[name].total > 0 : name === part));
  if (shown.length === 0) return <p className="quiet">No event {isHeld ? 'would change' : 'changed'}.</p>;
  return (
    <div className="stack loose">
      {shown.map(({ name, sign }) => {
        const { total, kept, lines } = difference[name];
        return (
          <section key={name} className="stack tight" aria-labelledby={name}>
            <h2 id={name} className="difference-head">
              <span className={`sign ${name}`} aria-hidden="true">
                {sign}
              </span>{' '}
              {(isHeld ? WOULD : DID)[name]} <span className="quiet number">{formatNumber(total)}</span>
            </h2>
            <ul className="difference">
              {lines.map((line) => (
                <Change key={line.id} line={line} />
              ))}
            </ul>
            {part === null && lines.length < kept ? (
              <p className="small">
                <Link to={`?part=${name}`}>
                  {`Show ${kept < total ? `the ${formatNumber(kept)} that were stored` : `all ${formatNumber(kept)}`}`}
                </Link>
              </p>
            ) : null}
            {kept < total && (part === null ? lines.length === kept : excerpt.page === excerpt.pages) ? (
              <p className="small quiet">{`and ${formatNumber(total - kept)} more, which were not stored`}</p>
            ) : null}
          </section>
        );
      })}
      {part === null ? null : <PartPager {...excerpt} />}
    </div>
  );
}

function PartPager({ part, page, pages }: Props['excerpt']) {
  return (
    <>
      <Pager label="Pages" page={page} pages={pages} hrefOf={(to) => `?part=${part}&page=${to}`} />
      <p>
        <Link to="?">Show the whole run</Link>
      </p>
    </>
  );
}

function Change({ line: { id, title, start, fields, into } }: { line: ChangeView }) {
  return (
    <li>
      <Link to={`/desk/events/${into ?? id}`}>
        <Words>{title}</Words>
      </Link>
      {start ? (
        <time className="small quiet" dateTime={start.iso}>
          {start.text}
        </time>
      ) : null}
      {into ? <span className="small quiet">merged into this event</span> : null}
      {fields.length > 0 ? (
        <dl className="field-changes small">
          {fields.map(({ name, before, after }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <del>
                  <Words>{before}</Words>
                </del>{' '}
                <span aria-hidden="true">→</span>{' '}
                <ins>
                  <Words>{after}</Words>
                </ins>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </li>
  );
}

const RUN_KINDS = { ingest: 'Run', undo: 'Undone run', decision: 'Operator decision' } as const;
const SAID = {
  undone: 'The run is undone, and its source is paused.',
  undoing: 'The run is being undone. Reload this page to see when it is done.',
} as const;
const MAX_REJECTS = 100;
const DID = {
  created: 'Created',
  changed: 'Changed',
  merged: 'Merged',
  cancelled: 'Canceled',
  vanished: 'No longer listed',
} as const;
const WOULD = {
  created: 'Would be created',
  changed: 'Would change',
  merged: 'Would be merged',
  cancelled: 'Would be canceled',
  vanished: 'Would no longer be listed',
} as const;

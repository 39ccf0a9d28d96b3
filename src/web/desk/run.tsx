import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { readRun } from '../../ingest/index.ts';
import { PostForm, Submit } from '../design/form.tsx';
import { formatNumber } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { PageHead } from '../design/workroom.tsx';
import { readAct } from '../server/desk/act.ts';
import { actOnSource } from '../server/desk/act-on-source.ts';
import { undoRun } from '../server/desk/undo-run.ts';
import { momentsOf, readExcerpt, viewDifference, viewRun } from '../server/desk/view-run.ts';
import { newFormToken } from '../server/once.ts';
import { unknownForm } from '../server/refusal.ts';
import { rooms } from '../server/rooms.ts';
import { requireOperator } from '../server/viewer.ts';
import { RunState } from './oversight/condition.tsx';
import { DifferenceLists } from './oversight/difference.tsx';
import { Figures } from './oversight/figures.tsx';
import { useLive } from './oversight/live.ts';
import { Said, TimeAway, TimeText, Words } from './oversight/said.tsx';
import './oversight/oversight.css';

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
    remarks,
    waiting: Object.entries(waiting).map(([place, count]) => ({ place, count })),
    rejected: rejected.slice(0, MOST_REJECTS).map(({ line, field, reason }) => ({ line, field, reason })),
    rejectedCount,
    touched: run.touched,
    canUndo: run.kind === 'ingest' && run.touched > 0 && (run.state === 'done' || run.state === 'failed'),
    isAsking: searchParams.has('undo'),
    token: newFormToken(),
    said: searchParams.get('said'),
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
  if (undone.ok) return redirect(`/desk/runs/${run.id}?said=${undone.said}`);
  return data({ error: undone.reason }, { status: 409 });
}

export default function RunPage() {
  const { run, difference, excerpt, canUndo, isAsking, touched, token, said } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  useLive(run.state === 'running' || (said === 'undoing' && run.state !== 'undone'));
  const { source, state, kind } = run;
  const name = source?.name ?? 'a source that was removed';
  return (
    <>
      <PageHead
        title={kind === 'ingest' ? `Run of ${name}` : KINDS[kind]}
        kind={run.started.text}
        actions={
          canUndo && !isAsking ? (
            <Link className="button danger" to="?undo" preventScrollReset>
              Take back …
            </Link>
          ) : null
        }
      >
        <TimeText at={run.started} />
        {run.seconds === null ? ', still under way' : `, took ${run.seconds === 0 ? 'less than a second' : `${run.seconds} s`}`}.{' '}
        {source ? <Link to={`/desk/sources/${source.id}`}>The source</Link> : null}
      </PageHead>
      {refused?.error ? <Notice kind="bad">{refused.error}</Notice> : <Said word={said} table={SAID} />}
      <p className="cluster">
        <RunState name={state} /> <Figures summary={run.summary} />
        {run.summary?.listings == null ? null : <span className="quiet">{formatNumber(run.summary.listings)} listings read</span>}
      </p>
      {run.error ? (
        <Notice kind={state === 'held' ? 'warn' : 'bad'} title={state === 'held' ? 'Why it was held' : 'Why it failed'}>
          <Words>{run.error}</Words>
        </Notice>
      ) : null}
      {canUndo && isAsking ? (
        <section className="card stack" aria-labelledby="undo">
          <h2 id="undo">Take this run back?</h2>
          <p>
            {formatNumber(touched)} listings say again what they said before. Events that this run created answer “gone”; what it
            changed, merged or let vanish is as it was. The source is paused, or its next run would do the same again.
          </p>
          <PostForm className="cluster" token={token}>
            <Submit intent="undo" kind="danger">
              Take it back
            </Submit>
            <Link className="button plain" to="." preventScrollReset>
              Leave it
            </Link>
          </PostForm>
        </section>
      ) : null}
      {state === 'held' && source ? (
        <section className="card stack" aria-labelledby="release">
          <h2 id="release">Let it pass?</h2>
          <p>
            Below is what this answer would have written (read <TimeAway at={run.started} />
            ). Released, the source is asked again now, and what it says then is written, whatever it looks like.
          </p>
          <PostForm className="cluster" token={token}>
            <Submit intent="release">Release and run</Submit>
            <Link className="button plain" to={`/desk/sources/${source.id}`}>
              Leave it held
            </Link>
          </PostForm>
        </section>
      ) : null}
      {difference ? <DifferenceLists difference={difference} excerpt={excerpt} isHeld={state === 'held'} /> : null}
      <Reading />
    </>
  );
}

/** What was odd about the answer itself. */
function Reading() {
  const { remarks, waiting, rejected, rejectedCount } = useLoaderData<typeof loader>();
  if (remarks.length + waiting.length + rejectedCount === 0) return null;
  return (
    <section className="stack" aria-labelledby="odd">
      <h2 id="odd">What was odd</h2>
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
          <summary>Listings that wait for a place that is known: {waiting.reduce((sum, { count }) => sum + count, 0)}</summary>
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
          <summary>Listings that could not be taken: {formatNumber(rejectedCount)}</summary>
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

const KINDS = { ingest: 'Run', undo: 'A run taken back', decision: 'A decision of a person' } as const;
const SAID = {
  undone: 'The run is taken back, and its source is paused.',
  undoing: 'The run is being taken back; load this page again to see when it is done.',
} as const;
const MOST_REJECTS = 100;

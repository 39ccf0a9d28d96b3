import { type ActionFunctionArgs, data, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { overseeSources, readRunLines } from '../../../ingest/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import { formatNumber } from '../../model/format.ts';
import { momentsOf, readAct } from '../../server/desk.ts';
import { actOnSource, isSourceIntent, type SourceView, viewRun, viewSource } from '../../server/desk-sources.ts';
import { newFormToken, unknownForm } from '../../server/forms.ts';
import { rooms } from '../../server/rooms.ts';
import { requireOperator } from '../../server/viewer.ts';
import { ChangeCounts } from './change-counts.tsx';
import { Condition, RunState } from './condition.tsx';
import { useLive } from './live.ts';
import { ActionNotice, TimeAway, TimeText, Words } from './moments.tsx';
import './oversight.css';

export async function loader(page: LoaderFunctionArgs) {
  await requireOperator(page);
  const opened = page.context.get(rooms);
  const { store, clocks } = opened;
  const moments = momentsOf(opened);
  const sources = await overseeSources({ store, now: clocks.directory() });
  const source = sources.find(({ id }) => id === page.params.id);
  if (!source) throw data(null, { status: 404 });
  const runs = await readRunLines({ store, sourceId: source.id });
  return {
    source: viewSource(source, moments),
    runs: runs.map((run) => viewRun(run, moments)),
    token: newFormToken(),
    outcome: new URL(page.request.url).searchParams.get('said'),
  };
}

export async function action(page: ActionFunctionArgs) {
  const act = await readAct(page);
  const opened = page.context.get(rooms);
  const sources = await overseeSources({ store: opened.store, now: opened.clocks.directory() });
  const source = sources.find(({ id }) => id === page.params.id);
  const intent = act.text('intent');
  if (!source) throw data(null, { status: 404 });
  if (!isSourceIntent(intent)) throw unknownForm();
  const outcome = await actOnSource(act, opened, intent, source);
  if (outcome === 'unknown') throw data(null, { status: 404 });
  return redirect(`/desk/sources/${source.id}?said=${outcome === 'done' ? intent : outcome}`);
}

export default function SourcePage() {
  const { source, runs, token, outcome } = useLoaderData<typeof loader>();
  const { name, kind, condition, state } = source;
  const isUnderWay = condition === 'running' || condition === 'waiting';
  useLive(isUnderWay);
  const held = runs.find((run) => run.state === 'held');
  return (
    <>
      <PageHead
        title={name}
        kind="Source"
        actions={
          <PostForm className="cluster" token={token}>
            {isUnderWay ? null : (
              <Submit intent="run" kind={state === 'held' ? '' : 'primary'}>
                Run now
              </Submit>
            )}
            {state === 'paused' ? (
              <Submit intent="resume" kind="">
                Resume
              </Submit>
            ) : (
              <Submit intent="pause" kind="">
                Pause
              </Submit>
            )}
          </PostForm>
        }
      >
        A source of kind {kind}. <Link to="/desk/sources">All sources</Link>
      </PageHead>
      <div className="live" aria-live="polite">
        {isUnderWay ? (
          <UnderWay condition={condition} />
        ) : (
          <ActionNotice code={outcome} table={{ ...SAID, resume: formatResumed(source) }} />
        )}
        {outcome === 'not_held' ? <Notice kind="warn">The source is not on hold. There was nothing to release.</Notice> : null}
      </div>
      {state === 'held' ? (
        <Notice kind="warn" title="The last response is on hold: nothing was written">
          <div className="stack tight">
            <p>
              <Words>{source.lastError ?? 'It looks like a broken source.'}</Words>
            </p>
            <p>
              {held ? (
                <Link to={`/desk/runs/${held.id}`}>Review the changes and release them</Link>
              ) : (
                'Run the source again to see what it would write'
              )}
              . A complete response ends the hold automatically.
            </p>
          </div>
        </Notice>
      ) : null}
      <div className="halves">
        <section className="stack" aria-labelledby="health">
          <h2 id="health">Health</h2>
          <Health source={source} />
        </section>
        <section className="stack" aria-labelledby="origin">
          <h2 id="origin">Location</h2>
          <dl className="facts">
            <dt>Address</dt>
            <dd className="address">
              <Words>{source.location || 'none'}</Words>
            </dd>
            <dt>Trust</dt>
            <dd>{formatNumber(source.trust, 2)}, from 0 to 1</dd>
            <dt>Keys</dt>
            <dd className="quiet">in the service settings, never shown</dd>
          </dl>
        </section>
      </div>
      <div className="stack">
        <h2>Last runs</h2>
        {runs.length === 0 ? (
          <p className="quiet">No runs yet.</p>
        ) : (
          <DataTable
            stacks
            caption="Last runs"
            head={['Started', 'Result', { text: 'Listings', number: true }, 'Events', 'Error']}
          >
            {runs.map((run) => (
              <tr key={run.id}>
                <td>
                  <Link to={`/desk/runs/${run.id}`}>
                    <TimeText at={run.started} />
                  </Link>
                  {run.kind === 'undo' ? <span className="small quiet"> undo</span> : null}
                </td>
                <td>
                  <RunState name={run.state} />
                </td>
                <td className="number">{run.summary?.listings == null ? '' : formatNumber(run.summary.listings)}</td>
                <td>{run.state === 'running' ? null : <ChangeCounts summary={run.summary} />}</td>
                <td className="why small">{run.error ? <Words>{run.error}</Words> : null}</td>
              </tr>
            ))}
          </DataTable>
        )}
      </div>
    </>
  );
}

function UnderWay({ condition }: { condition: 'running' | 'waiting' | SourceView['condition'] }) {
  return (
    <Notice title={condition === 'running' ? 'A run is in progress' : 'A run was requested'}>
      {condition === 'running'
        ? 'The run fetches, compares and writes in its own process.'
        : 'A worker starts it within seconds, or as soon as one is running.'}
      <noscript> Reload this page to see the result.</noscript>
    </Notice>
  );
}

function Health({ source }: { source: SourceView }) {
  const { condition, fresh, lastRun, schedule, next, lastError, failures, isReleased, state } = source;
  return (
    <dl className="facts">
      <dt>State</dt>
      <dd>
        <Condition name={condition} />
      </dd>
      <dt>Last complete read</dt>
      <dd>
        <TimeAway at={fresh} />
        {fresh ? (
          <span className="quiet">
            , <TimeText at={fresh} />
          </span>
        ) : null}
      </dd>
      <dt>Last run</dt>
      <dd>
        <TimeAway at={lastRun} />
      </dd>
      <dt>Runs</dt>
      <dd>{schedule ?? 'Manual'}</dd>
      <dt>Next run</dt>
      <dd>
        <TimeAway at={next} none={state === 'active' ? 'Manual' : `none while ${state === 'held' ? 'on hold' : state}`} />
      </dd>
      <dt>Circuit breaker</dt>
      <dd>
        {failures === 0 ? (
          'closed: the last run succeeded'
        ) : (
          <>
            open after {failures === 1 ? 'a failure' : `${failures} failures in a row`}: next try{' '}
            <TimeAway at={next} none="manual" />
          </>
        )}
      </dd>
      {isReleased ? (
        <>
          <dt>Released</dt>
          <dd>the next response is written without a sanity check</dd>
        </>
      ) : null}
      {lastError && state !== 'held' ? (
        <>
          <dt>Last error</dt>
          <dd>
            <Words>{lastError}</Words>
          </dd>
        </>
      ) : null}
    </dl>
  );
}

function formatResumed({ state, schedule }: SourceView): string {
  if (state === 'held') return 'The source is no longer paused, but it is on hold.';
  return schedule === null ? 'The source is no longer paused. It runs manually.' : 'The source runs on schedule again.';
}

const SAID = {
  run: 'The run has ended. See the result below.',
  pause: 'The source is paused. It runs only manually.',
  release: 'Released and run. See the result below.',
} as const;

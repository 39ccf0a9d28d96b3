import { type ActionFunctionArgs, data, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { overseeSources, readRunLines } from '../../ingest/index.ts';
import { PostForm, Submit } from '../design/form.tsx';
import { formatNumber } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { DataTable } from '../design/table.tsx';
import { PageHead } from '../design/workroom.tsx';
import { readAct } from '../server/desk/act.ts';
import { actOnSource, isSourceIntent } from '../server/desk/act-on-source.ts';
import { momentsOf, type SourceView, viewRun, viewSource } from '../server/desk/view-run.ts';
import { newFormToken } from '../server/once.ts';
import { unknownForm } from '../server/refusal.ts';
import { rooms } from '../server/rooms.ts';
import { requireOperator } from '../server/viewer.ts';
import { Condition, RunState } from './oversight/condition.tsx';
import { Figures } from './oversight/figures.tsx';
import { useLive } from './oversight/live.ts';
import { Said, TimeAway, TimeText, Words } from './oversight/said.tsx';
import './oversight/oversight.css';

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
    said: new URL(page.request.url).searchParams.get('said'),
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
  const { source, runs, token, said } = useLoaderData<typeof loader>();
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
        {isUnderWay ? <UnderWay condition={condition} /> : <Said word={said} table={{ ...SAID, resume: sayResumed(source) }} />}
        {said === 'not_held' ? <Notice kind="warn">It is not held: there was nothing to release.</Notice> : null}
      </div>
      {state === 'held' ? (
        <Notice kind="warn" title="Its last answer is held: nothing of it was written">
          <div className="stack tight">
            <p>
              <Words>{source.lastError ?? 'It looks like a broken source.'}</Words>
            </p>
            <p>
              {held ? (
                <Link to={`/desk/runs/${held.id}`}>See what it would write, and let it pass</Link>
              ) : (
                'Run it again to see what it would write.'
              )}
              . An answer that looks whole again ends the hold by itself.
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
          <h2 id="origin">Where it is</h2>
          <dl className="facts">
            <dt>Address</dt>
            <dd className="address">
              <Words>{source.location || 'none'}</Words>
            </dd>
            <dt>Trust</dt>
            <dd>{formatNumber(source.trust, 2)}, from 0 to 1</dd>
            <dt>Keys</dt>
            <dd className="quiet">in the settings of the service, never shown</dd>
          </dl>
        </section>
      </div>
      <div className="stack">
        <h2>Last runs</h2>
        {runs.length === 0 ? (
          <p className="quiet">It has never run.</p>
        ) : (
          <DataTable
            stacks
            caption="Last runs"
            head={['Began', 'How it ended', { text: 'Listings', number: true }, 'Events', 'Why']}
          >
            {runs.map((run) => (
              <tr key={run.id}>
                <td>
                  <Link to={`/desk/runs/${run.id}`}>
                    <TimeText at={run.started} />
                  </Link>
                  {run.kind === 'undo' ? <span className="small quiet"> taking back</span> : null}
                </td>
                <td>
                  <RunState name={run.state} />
                </td>
                <td className="number">{run.summary?.listings == null ? '' : formatNumber(run.summary.listings)}</td>
                <td>{run.state === 'running' ? null : <Figures summary={run.summary} />}</td>
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
    <Notice title={condition === 'running' ? 'A run is under way' : 'A run was asked for'}>
      {condition === 'running'
        ? 'It fetches, compares and writes in a process of its own.'
        : 'A worker takes it up within seconds. Where none serves, it waits for one.'}
      <noscript> Load this page again to see how it ends.</noscript>
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
      <dt>Read whole</dt>
      <dd>
        <TimeAway at={fresh} />
        {fresh ? <span className="quiet"> ({fresh.text})</span> : null}
      </dd>
      <dt>Last run</dt>
      <dd>
        <TimeAway at={lastRun} />
      </dd>
      <dt>Runs</dt>
      <dd>{schedule ?? 'when told to'}</dd>
      <dt>Next run</dt>
      <dd>
        <TimeAway at={next} none={state === 'active' ? 'when told to' : `not by itself while it is ${state}`} />
      </dd>
      <dt>Breaker</dt>
      <dd>
        {failures === 0 ? (
          'closed: the last run could read it'
        ) : (
          <>
            open after {failures === 1 ? 'a failure' : `${failures} failures in a row`}: asked again{' '}
            <TimeAway at={next} none="by hand" />
          </>
        )}
      </dd>
      {isReleased ? (
        <>
          <dt>Released</dt>
          <dd>its next answer passes, whatever it looks like</dd>
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

function sayResumed({ state, schedule }: SourceView): string {
  if (state === 'held') return 'It is no longer paused, but held.';
  return schedule === null ? 'It is no longer paused; it runs when it is told to.' : 'It runs by the clock again.';
}

const SAID = {
  run: 'The run has ended: see below how.',
  pause: 'It is paused: it runs only when it is told to.',
  release: 'Released, and run: see below how it ended.',
} as const;

import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { readRun } from '../../../sources/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { Notice } from '../../design/notice.tsx';
import { formatNumber } from '../../model/format.ts';
import { readAct } from '../../server/desk/act.ts';
import { actOnSource } from '../../server/desk/oversight/act-on-source.ts';
import { undoRun } from '../../server/desk/oversight/undo-run.ts';
import { momentsOf, readExcerpt, viewDifference, viewRun } from '../../server/desk/oversight/view-run.ts';
import { newFormToken } from '../../server/idempotency.ts';
import { unknownForm } from '../../server/refusal.ts';
import { rooms } from '../../server/rooms.ts';
import { requireOperator } from '../../server/viewer.ts';
import { ChangeCounts } from './change-counts.tsx';
import { RunState } from './condition.tsx';
import { DifferenceLists } from './difference.tsx';
import { useLive } from './live.ts';
import { ActionNotice, TimeText, Words } from './moments.tsx';
import { ReleaseForm, UndoForm } from './run-forms.tsx';
import { RunWarnings } from './run-warnings.tsx';
import './oversight.css';

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
      waiting: Object.entries(waiting).map(([place, count]) => ({ place, count })),
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
      title={kind === 'ingest' ? `Run of ${name}` : KINDS[kind]}
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

const KINDS = { ingest: 'Run', undo: 'Undone run', decision: 'Operator decision' } as const;
const SAID = {
  undone: 'The run is undone, and its source is paused.',
  undoing: 'The run is being undone. Reload this page to see when it is done.',
} as const;
const MAX_REJECTS = 100;

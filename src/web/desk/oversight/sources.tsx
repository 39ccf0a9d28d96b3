import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { overseeSources } from '../../../ingest/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { Empty } from '../../design/notice.tsx';
import { formatNumber } from '../../model/format.ts';
import { momentsOf } from '../../server/desk.ts';
import { type SourceView, viewSource } from '../../server/desk-sources.ts';
import { rooms } from '../../server/rooms.ts';
import { requireOperator } from '../../server/viewer.ts';
import { Outcome } from './change-counts.tsx';
import { Condition } from './condition.tsx';
import { useLive } from './live.ts';
import { TimeAway, Words } from './moments.tsx';
import './oversight.css';

export async function loader(page: LoaderFunctionArgs) {
  await requireOperator(page);
  const opened = page.context.get(rooms);
  const moments = momentsOf(opened);
  const sources = await overseeSources({ store: opened.store, now: opened.clocks.directory() });
  return { sources: sources.map((source) => viewSource(source, moments)) };
}

export default function Sources() {
  const { sources } = useLoaderData<typeof loader>();
  useLive(sources.some(({ condition }) => condition === 'running' || condition === 'waiting'));
  return (
    <>
      <PageHead title="Sources">Where listings come from. Sources that need attention come first.</PageHead>
      {sources.length === 0 ? (
        <Empty title="No source yet">
          <p>Sources are added on the command line, where their files and keys are:</p>
          <p>
            <code>marquee source add ical https://…/calendar.ics --every 1h</code>
          </p>
        </Empty>
      ) : (
        <ul className="source-list">
          {sources.map((source) => (
            <Line key={source.id} source={source} />
          ))}
        </ul>
      )}
      {sources.length > 0 ? (
        <p className="small quiet">
          Add a source with <code>marquee source add</code>, and try it with <code>marquee source test</code>.
        </p>
      ) : null}
    </>
  );
}

function Line({ source }: { source: SourceView }) {
  const { id, name, kind, condition, fresh, schedule, next, last, lastError, trust } = source;
  return (
    <li className={`source-line ${condition}`}>
      <div className="source-name">
        <Link to={`/desk/sources/${id}`}>
          <Words>{name}</Words>
        </Link>
        <span className="source-kind small quiet">
          {kind}, trust {formatNumber(trust, 2)}
        </span>
      </div>
      <div>
        <Condition name={condition} />
      </div>
      <dl className="source-facts small">
        <div>
          <dt>Last complete read</dt>
          <dd>
            <TimeAway at={fresh} />
          </dd>
        </div>
        <div>
          <dt>Runs</dt>
          <dd>
            {schedule ?? 'Manual'}
            {schedule && next ? (
              <>
                , next <TimeAway at={next} />
              </>
            ) : null}
          </dd>
        </div>
        <div>
          <dt>Last run</dt>
          <dd>
            {last ? (
              <Outcome state={condition === 'held' ? 'done' : last.state} summary={last.summary} />
            ) : (
              <span className="quiet">none yet</span>
            )}
          </dd>
        </div>
      </dl>
      {lastError ? (
        <p className="source-error small">
          <Words>{lastError}</Words>
        </p>
      ) : null}
    </li>
  );
}

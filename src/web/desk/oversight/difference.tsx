import { Link } from 'react-router';
import { Pager } from '../../design/pager.tsx';
import type { ChangeView, DifferenceView, Excerpt } from '../../model/desk.ts';
import { formatNumber } from '../../model/format.ts';
import { KINDS } from './change-counts.tsx';
import { Words } from './moments.tsx';

interface Props {
  difference: DifferenceView;
  excerpt: Excerpt & { pages: number };
  isHeld: boolean;
}

/** Every event that is another after a run, by what became of it; or one of these lists, page by page. */
export function DifferenceLists({ difference, excerpt, isHeld }: Props) {
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

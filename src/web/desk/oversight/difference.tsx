import { Link } from 'react-router';
import type { ChangeView, DifferenceView } from '../../server/desk/view-run.ts';
import { KINDS } from './figures.tsx';
import { Words } from './said.tsx';

/** Every event that is another after a run, by what became of it. */
export function DifferenceLists({
  difference,
  isWhole,
  isHeld,
}: {
  difference: DifferenceView;
  isWhole: boolean;
  isHeld: boolean;
}) {
  const told = KINDS.filter(({ name }) => difference[name].total > 0);
  if (told.length === 0) return <p className="quiet">No event {isHeld ? 'would be' : 'is'} another after it.</p>;
  const isCut = told.some(({ name }) => difference[name].lines.length < difference[name].total);
  return (
    <div className="stack loose">
      {told.map(({ name, sign }) => {
        const { total, lines } = difference[name];
        return (
          <section key={name} className="stack tight" aria-labelledby={name}>
            <h2 id={name} className="difference-head">
              <span className={`sign ${name}`} aria-hidden="true">
                {sign}
              </span>{' '}
              {(isHeld ? WOULD : DID)[name]} <span className="quiet number">{total.toLocaleString('en')}</span>
            </h2>
            <ul className="difference">
              {lines.map((line) => (
                <Change key={line.id} line={line} />
              ))}
            </ul>
            {lines.length < total ? (
              <p className="small quiet">
                and {(total - lines.length).toLocaleString('en')} more{isWhole ? ', which were not kept' : ''}
              </p>
            ) : null}
          </section>
        );
      })}
      {isCut && !isWhole ? (
        <p>
          <Link to="?all" preventScrollReset>
            Show all that was kept
          </Link>
        </p>
      ) : null}
    </div>
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
      {into ? <span className="small quiet">joined this event</span> : null}
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

const DID = { created: 'Created', changed: 'Changed', merged: 'Merged', cancelled: 'Cancelled', vanished: 'Vanished' } as const;
const WOULD = {
  created: 'Would be created',
  changed: 'Would change',
  merged: 'Would be merged',
  cancelled: 'Would be cancelled',
  vanished: 'Would vanish',
} as const;

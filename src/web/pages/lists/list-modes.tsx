import { Link } from 'react-router';
import { useText } from '../../design/use-language.ts';
import type { EventsFacts } from '../../model/lists/list-facts.ts';
import { EVENT_VIEWS, eventsPath, without } from '../../model/lists/list-paths.ts';

/** Order and view of a list of events. */
export function ListModes({ query, view }: Pick<EventsFacts, 'query' | 'view'>) {
  const text = useText();
  const first: Sort = query.ask === undefined ? 'score' : 'relevance';
  const sort = query.sort ?? first;
  const others: Sort[] = [...(query.q ? (['relevance'] as const) : []), ...SORTS, ...(query.near ? (['distance'] as const) : [])];
  const sorts = [...new Set([first, ...others])];
  return (
    <div className="list-modes">
      {view === 'list' ? (
        <ul className="modes" aria-label={text('events.order')}>
          {sorts.map((each) => (
            <li key={each}>
              <Link
                to={eventsPath(each === first ? without(query, 'sort') : { ...query, sort: each })}
                aria-current={sort === each ? 'true' : undefined}
              >
                {text(`sort.${each}`)}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      <ul className="modes" aria-label={text('events.view')}>
        {EVENT_VIEWS.map((each) => (
          <li key={each}>
            <Link to={eventsPath(query, { view: each })} aria-current={view === each ? 'true' : undefined}>
              {text(`view.${each}`)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Sort = 'score' | 'start' | 'relevance' | 'distance';
const SORTS = ['score', 'start'] as const;

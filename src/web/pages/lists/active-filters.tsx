import { Link } from 'react-router';
import { useLanguage } from '../../design/use-language.ts';
import type { EventsFacts } from '../../model/lists/list-facts.ts';
import { eventsPath, without } from '../../model/lists/list-paths.ts';
import { describeFilter, filterName } from './describe-filter.ts';

type Facts = Pick<EventsFacts, 'query' | 'view' | 'neighborhood' | 'venue' | 'asked'>;

/** What counts and no chip shows, with the words of a text that were understood. Each can be taken away. */
export function ActiveFilters({ query, view, neighborhood, venue, asked }: Facts) {
  const words = useLanguage();
  const { text } = words;
  const parts = (asked?.parts ?? []).map(({ kind, from, means, without: rest }) => ({
    key: `part ${from}`,
    name: text(`search.kind.${kind}`),
    value: means,
    path: eventsPath(rest === '' ? without(query, 'ask') : { ...query, ask: rest }, { view }),
  }));
  const filters = NAMED.flatMap((name) => {
    const value = query[name];
    if (value === undefined) return [];
    const shown = describeFilter(words, name, value, { neighborhood, venue });
    return [{ key: name, name: filterName(text, name), value: shown, path: eventsPath(without(query, name), { view }) }];
  });
  if (parts.length + filters.length === 0) return null;
  return (
    <ul className="chips" aria-label={text('events.chosen')}>
      {[...parts, ...filters].map(({ key, name, value, path }) => (
        <li key={key}>
          <Link className="chip taken" to={path} aria-label={text('search.remove', { kind: name, part: value })}>
            <span className="quiet">{name}</span> {value} <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Chips show all others. */
const NAMED = [
  ...['q', 'neighborhood', 'venue_id', 'start_date', 'end_date', 'price_max', 'tags'],
  ...['near', 'bbox', 'status', 'updated_since', 'ongoing'],
];

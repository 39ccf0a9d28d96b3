import { Link } from 'react-router';
import { useLanguage } from '../../design/use-language.ts';
import type { LinkedPlace, ListRelaxation } from '../../model/lists/list-facts.ts';
import { describeFilter, filterName } from './describe-filter.ts';

interface Props {
  kind: 'events' | 'venues';
  relaxations: readonly ListRelaxation[];
  neighborhood: LinkedPlace | null;
  /** What to look for without a word of the text. */
  words?: readonly { part: string; total: number; path: string }[];
}

/** Why there is nothing, and the nearest list that has something. */
export function EmptyList({ kind, relaxations, neighborhood, words = [] }: Props) {
  const language = useLanguage();
  const { text } = language;
  const offers = [
    ...words.map(({ part, total, path }) => ({ label: text('search.without', { part }), total, path })),
    ...relaxations.map(({ name, value, total, path }) => {
      const shown = describeFilter(language, name, value, { neighborhood });
      return { label: text('lists.without', { filter: `${filterName(text, name)}: ${shown}` }), total, path };
    }),
  ];
  return (
    <div className="empty list-empty">
      <h2>{text(`${kind}.none`)}</h2>
      <p>{text(offers.length > 0 ? 'lists.relax' : 'lists.nothingHelps')}</p>
      <ul className="stack tight">
        {offers.map(({ label, total, path }) => (
          <li key={path}>
            <Link to={path}>{label}</Link> <span className="quiet">{text(`${kind}.count`, { count: total })}</span>
          </li>
        ))}
        <li>
          <Link to={`/${kind}`}>{text(`${kind}.all`)}</Link>
        </li>
      </ul>
    </div>
  );
}

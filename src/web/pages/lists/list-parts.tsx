import { Link } from 'react-router';
import { Notice } from '../../design/notice.tsx';
import { useLanguage, useText } from '../../design/use-language.ts';
import type { LinkedPlace, ListPages, ListProblem, ListRelaxation } from '../../model/lists.ts';
import { describeFilter, filterName } from './describe-filter.ts';

/** The pages before and after this one; nothing where there is only one. */
export function ListPager({ page, pages, pathOf }: ListPages & { pathOf: (page: number) => string }) {
  const text = useText();
  if (pages <= 1) return null;
  return (
    <nav className="pager" aria-label={text('lists.pages')}>
      {page > 1 ? (
        <Link className="button" rel="prev" to={pathOf(Math.min(page - 1, pages))}>
          {text('lists.previous')}
        </Link>
      ) : (
        <span />
      )}
      <span className="quiet">{text('lists.page', { page, pages })}</span>
      {page < pages ? (
        <Link className="button" rel="next" to={pathOf(page + 1)}>
          {text('lists.next')}
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}

/** Parts of the address that the list below does not use. */
export function ListProblems({ problems }: { problems: readonly ListProblem[] }) {
  const text = useText();
  if (problems.length === 0) return null;
  return (
    <Notice kind="warn" title={text('lists.problems')}>
      <ul className="stack tight">
        {problems.map(({ name, value, detail, suggestion }) => (
          <li key={`${name} ${detail}`}>
            {text('lists.problem', { name: filterName(text, name), value })}{' '}
            {suggestion ? (
              <Link to={suggestion.path}>{text('lists.didYouMean', { value: suggestion.value })}</Link>
            ) : (
              <span lang="en" className="quiet">
                {detail}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

interface Props {
  kind: 'events' | 'venues';
  /** Whether the reader asked for less than the whole list. */
  isFiltered: boolean;
  relaxations: readonly ListRelaxation[];
  neighborhood: LinkedPlace | null;
  /** What to look for without a word of the text. */
  words?: readonly { part: string; total: number; path: string }[];
}

/** Why there is nothing, and the nearest list that has something. */
export function EmptyList({ kind, isFiltered, relaxations, neighborhood, words = [] }: Props) {
  const language = useLanguage();
  const { text } = language;
  const offers = [
    ...words.map(({ part, total, path }) => ({ label: text('search.without', { part }), total, path })),
    ...relaxations.map(({ name, value, total, path }) => {
      const shown = describeFilter(language, name, value, { neighborhood });
      return { label: text('lists.without', { filter: `${filterName(text, name)}: ${shown}` }), total, path };
    }),
  ];
  if (!isFiltered) return <p className="empty">{text(`${kind}.noneYet`)}</p>;
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

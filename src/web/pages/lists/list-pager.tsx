import { Link } from 'react-router';
import { useText } from '../../design/use-language.ts';
import type { ListPages } from '../../model/lists/list-facts.ts';

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

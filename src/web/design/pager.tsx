import { Link } from 'react-router';
import { formatNumber } from '../model/format.ts';

interface Props {
  label: string;
  /** From 1 on. */
  page: number;
  pages: number;
  hrefOf?: (page: number) => string;
  previous?: string;
  next?: string;
}

/** Links to the pages before and after this one; nothing where there is only one. */
export function Pager({ label, page, pages, hrefOf = (to) => `?page=${to}`, previous = 'Previous', next = 'Next' }: Props) {
  if (pages <= 1) return null;
  return (
    <nav className="pager" aria-label={label}>
      {page > 1 ? <Link to={hrefOf(page - 1)}>{previous}</Link> : <span />}
      <span className="quiet">{`Page ${formatNumber(page)} of ${formatNumber(pages)}`}</span>
      {page < pages ? <Link to={hrefOf(page + 1)}>{next}</Link> : <span />}
    </nav>
  );
}

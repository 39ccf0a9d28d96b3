import { Link } from 'react-router';
import { Moment } from '../../design/moment.tsx';
import { Pager } from '../../design/pager.tsx';
import { DataTable } from '../../design/table.tsx';
import type { ShownExport } from '../../model/exports.ts';
import { formatBytes, formatRows, StateBadge } from './export-state.tsx';

/** The exports of one page of the list. */
export function ExportList({ exports, page, pages }: { exports: readonly ShownExport[]; page: number; pages: number }) {
  if (exports.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="made">
      <h2 id="made">Your exports</h2>
      <DataTable
        stacks
        caption="All exports"
        head={['Export', 'State', { text: 'Rows', number: true }, { text: 'Size', number: true }, 'Requested']}
      >
        {exports.map(({ id, title, state, rows, bytes, queuedAt, isFull }) => (
          <tr key={id}>
            <td>
              <Link to={`/dashboard/exports/${id}`}>{title}</Link>
              {isFull === false ? ' (changes)' : null}
            </td>
            <td>
              <StateBadge state={state} />
            </td>
            <td className="number">{formatRows(rows)}</td>
            <td className="number">{formatBytes(bytes)}</td>
            <td>
              <Moment at={queuedAt} />
            </td>
          </tr>
        ))}
      </DataTable>
      <Pager label="Pages of exports" page={page} pages={pages} />
    </section>
  );
}

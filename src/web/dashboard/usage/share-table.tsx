import { Link } from 'react-router';
import { DataTable } from '../../design/table.tsx';
import { formatNumber } from '../../model/format.ts';
import { formatShares } from './shares.ts';

export interface Share {
  id: string;
  name: string;
  /** What is shown of this part alone. */
  to?: string;
  isCode?: boolean;
  note?: string;
  requests: number;
  refused?: number;
}

/** Parts of a whole, with bars that say nothing the numbers do not. */
export function ShareTable({
  title,
  name,
  total,
  rows,
  withRefused = false,
}: {
  title: string;
  name: string;
  total: number;
  rows: readonly Share[];
  withRefused?: boolean;
}) {
  const shares = formatShares(
    rows.map(({ requests }) => requests),
    total,
  );
  const head = [
    name,
    { text: 'Requests', number: true as const },
    { text: 'Share', number: true as const },
    ...(withRefused ? [{ text: 'Rate limited', number: true as const }] : []),
  ];
  return (
    <section className="stack tight">
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p className="quiet">No requests in this period.</p>
      ) : (
        <DataTable caption={title} head={head}>
          {rows.map((row, index) => (
            <tr key={row.id}>
              <td>
                <ShareName share={row} />
                <svg className="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={total > 0 ? (row.requests / total) * 100 : 0} height="8" />
                </svg>
              </td>
              <td className="number">{formatNumber(row.requests)}</td>
              <td className="number">{shares[index]}</td>
              {withRefused ? <td className="number">{formatNumber(row.refused ?? 0)}</td> : null}
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

function ShareName({ share: { name, to, isCode, note } }: { share: Share }) {
  const plain = isCode ? <code>{name}</code> : name;
  return (
    <>
      {to ? <Link to={to}>{name}</Link> : plain}
      {note ? <span className="quiet small share-note"> {note}</span> : null}
    </>
  );
}

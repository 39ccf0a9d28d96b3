import { Link } from 'react-router';
import { DataTable } from '../../design/table.tsx';
import { formatNumber } from '../../model/format.ts';
import { formatEndpoint } from '../format-usage.ts';
import { formatShares } from './shares.ts';

interface KeyUsage {
  id: string;
  name: string;
  last4: string;
  state: string;
  requests: number;
  refused: number;
}

interface Props {
  report: {
    requests: number;
    /** Requests that the tables do not know. */
    unexplained: number;
    endpoints: readonly { endpoint: string; requests: number }[];
    statuses: readonly { status: number; requests: number }[];
  };
  days: number;
  /** Null: the report is of one key. */
  byKey: readonly KeyUsage[] | null;
}

/** The same requests by endpoint, by status and by key. */
export function UsageTables({ report, days, byKey }: Props) {
  const total = report.requests - report.unexplained;
  const endpoints = report.endpoints.map(
    ({ endpoint, requests }): Share => ({
      id: endpoint,
      name: formatEndpoint(endpoint),
      isCode: endpoint !== UNKNOWN,
      requests,
    }),
  );
  const statuses = report.statuses.map(
    ({ status, requests }): Share => ({ id: String(status), name: formatStatus(status), requests }),
  );
  return (
    <>
      <div className="halves">
        <ShareTable title="By endpoint" name="Endpoint" total={total} rows={endpoints} />
        <ShareTable title="By status" name="Status" total={total} rows={statuses} />
      </div>
      {byKey ? (
        <ShareTable title="By key" name="Key" total={total} rows={byKey.map((key) => shareOf(key, days))} withRefused />
      ) : null}
    </>
  );
}

function shareOf({ id, name, last4, state, requests, refused }: KeyUsage, days: number): Share {
  const end = state === 'revoked' ? ', revoked' : ', replaced';
  return { id, to: `?days=${days}&key=${id}`, name, note: `…${last4}${state === 'active' ? '' : end}`, requests, refused };
}

/** What the statuses of answers mean to a developer. */
const formatStatus = (status: number): string => (MEANINGS[status] ? `${status} ${MEANINGS[status]}` : String(status));

interface Share {
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
function ShareTable({
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

const UNKNOWN = '/api/v1/*';
const MEANINGS: Readonly<Record<number, string>> = {
  200: 'OK',
  301: 'merged into another id',
  304: 'not modified',
  400: 'invalid parameters',
  402: 'plan not active',
  403: 'needs a higher plan',
  404: 'not found',
  405: 'wrong method',
  406: 'not acceptable',
  410: 'gone',
  499: 'client disconnected',
};

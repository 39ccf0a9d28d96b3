import { formatEndpoint } from '../format-usage.ts';
import { type Share, ShareTable } from './share-table.tsx';
import { formatStatus } from './statuses.ts';

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

const UNKNOWN = '/api/v1/*';

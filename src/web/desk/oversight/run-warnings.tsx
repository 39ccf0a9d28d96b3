import { formatNumber } from '../../model/format.ts';
import { Words } from './moments.tsx';

interface Warnings {
  remarks: readonly string[];
  /** Listings at places that are no known venue. */
  waiting: readonly { place: string; count: number }[];
  /** The first of them. */
  rejected: readonly { line: number; field: string | null; reason: string }[];
  rejectedCount: number;
}

/** Warnings about the response of the source. */
export function RunWarnings({ warnings: { remarks, waiting, rejected, rejectedCount } }: { warnings: Warnings }) {
  if (remarks.length + waiting.length + rejectedCount === 0) return null;
  return (
    <section className="stack" aria-labelledby="odd">
      <h2 id="odd">Warnings</h2>
      {remarks.length > 0 ? (
        <ul className="plain-list">
          {remarks.map((remark) => (
            <li key={remark}>
              <Words>{remark}</Words>
            </li>
          ))}
        </ul>
      ) : null}
      {waiting.length > 0 ? (
        <details>
          <summary>Listings waiting for a known venue: {waiting.reduce((sum, { count }) => sum + count, 0)}</summary>
          <ul className="plain-list small">
            {waiting.map(({ place, count }) => (
              <li key={place}>
                <Words>{place}</Words> ({count})
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {rejectedCount > 0 ? (
        <details>
          <summary>Rejected listings: {formatNumber(rejectedCount)}</summary>
          <ul className="plain-list small">
            {rejected.map(({ line, field, reason }) => (
              <li key={`${line} ${field} ${reason}`}>
                record {line}
                {field ? `, ${field}` : ''}: <Words>{reason}</Words>
              </li>
            ))}
            {rejectedCount > rejected.length ? <li>and {formatNumber(rejectedCount - rejected.length)} more</li> : null}
          </ul>
        </details>
      ) : null}
    </section>
  );
}

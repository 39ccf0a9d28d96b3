import { Link } from 'react-router';
import { Notice } from '../../design/notice.tsx';

/** For accounts whose plan has no exports: what they are and how to get them. `has`: exports from before a downgrade. */
export function NoExports({ has }: { has: number }) {
  if (has > 0) {
    return (
      <Notice kind="warn" title="Your exports have stopped.">
        Exports need an active Enterprise plan. Downloads return an error until you have one again.{' '}
        <Link to="/dashboard/plans">View plans</Link>
      </Notice>
    );
  }
  return (
    <section className="card stack" aria-labelledby="no-exports">
      <h2 id="no-exports">Exports are part of Enterprise</h2>
      <p>An export gives you the whole directory, or the events of a saved query, as files:</p>
      <ul>
        <li>As NDJSON, CSV, GeoJSON or Parquet, with the columns you choose.</li>
        <li>Once, every hour with the changes, or every day in full.</li>
        <li>
          Your code finds the files with <code>GET /exports</code>.
        </li>
      </ul>
      <p>
        <Link className="button primary" to="/dashboard/plans">
          View plans
        </Link>
      </p>
    </section>
  );
}

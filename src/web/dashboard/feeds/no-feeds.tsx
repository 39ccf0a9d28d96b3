import { Link } from 'react-router';
import { Notice } from '../../design/notice.tsx';

/** For accounts whose plan has no feeds: what they are and how to get them. `has`: feeds from before a downgrade. */
export function NoFeeds({ has }: { has: number }) {
  if (has > 0) {
    return (
      <Notice kind="warn" title="Your feeds have stopped.">
        Feeds need an active Enterprise plan. Their URLs return an error until you have one again; nothing is deleted.{' '}
        <Link to="/dashboard/plans">View plans</Link>
      </Notice>
    );
  }
  return (
    <section className="card stack" aria-labelledby="no-feeds">
      <h2 id="no-feeds">Feeds are part of Enterprise</h2>
      <p>A feed saves filters once. Each program then reads the same events in its own format:</p>
      <ul>
        <li>Calendars subscribe to a secret URL, and canceled events show as canceled.</li>
        <li>Websites and newsletters read RSS, Atom or JSON Feed.</li>
        <li>Maps read GeoJSON; spreadsheets read CSV.</li>
        <li>
          Your code lists feeds with <code>GET /feeds</code>.
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

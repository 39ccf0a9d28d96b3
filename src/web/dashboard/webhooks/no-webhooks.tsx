import { Link } from 'react-router';
import { Notice } from '../../design/notice.tsx';

/** For accounts whose plan has no webhooks: what they are and how to get them. `has`: endpoints from before a downgrade. */
export function NoWebhooks({ has }: { has: number }) {
  if (has > 0) {
    return (
      <Notice kind="warn" title="Your webhooks have stopped.">
        Webhooks need an active Enterprise plan. Nothing is sent until you have one again. Messages that wait are kept for 24
        hours. <Link to="/dashboard/plans">View plans</Link>
      </Notice>
    );
  }
  return (
    <section className="card stack" aria-labelledby="no-webhooks">
      <h2 id="no-webhooks">Webhooks are part of Enterprise</h2>
      <p>A webhook tells your server about each change as it happens:</p>
      <ul>
        <li>Each message holds the current record and its previous values.</li>
        <li>Messages are signed, retried for three days, and sent in order on request.</li>
        <li>A saved query decides which events are sent.</li>
      </ul>
      <p className="cluster">
        <Link className="button primary" to="/dashboard/plans">
          View plans
        </Link>
        <Link className="button" to="/docs/webhooks">
          How webhooks work
        </Link>
      </p>
    </section>
  );
}

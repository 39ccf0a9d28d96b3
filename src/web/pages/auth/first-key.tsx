import { Link } from 'react-router';
import { Notice } from '../../design/notice.tsx';
import { ShownKey } from '../../design/shown-key.tsx';
import type { Confirmed } from '../../model/account.ts';
import './auth.css';

/** After the address is confirmed: the first key, this once, and a request to paste. */
export function FirstKey({ shown, problem }: Pick<Confirmed, 'shown' | 'problem'>) {
  return (
    <section className="column gap stack">
      <title>Your API key · Marquee</title>
      <h1>{shown ? 'Your API key' : 'Your address is confirmed'}</h1>
      {shown ? <ShownKey shown={shown} /> : null}
      {problem ? (
        <Notice kind="warn" title="You have no key yet">
          {problem} <Link to="/dashboard/plans">See the plans</Link>
        </Notice>
      ) : null}
      <p>
        <Link className="button" to="/dashboard">
          Go to the dashboard
        </Link>
      </p>
    </section>
  );
}

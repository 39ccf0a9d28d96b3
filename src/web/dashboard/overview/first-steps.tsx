import { Link } from 'react-router';
import { CopyBlock } from '../../design/code.tsx';
import { Notice } from '../../design/notice.tsx';
import { curlOf } from '../../model/first-request.ts';

/** From a new account to its first answer. The page watches for it; without scripts it is loaded again by hand. */
export function FirstSteps({
  hasKeys,
  keyName,
  isUsed,
  publicUrl,
}: {
  hasKeys: boolean;
  keyName: string | undefined;
  isUsed: boolean;
  publicUrl: string;
}) {
  return (
    <section className="card stack" aria-labelledby="steps">
      <h2 id="steps">First steps</h2>
      <ol className="steps-list">
        <li className={hasKeys ? 'done' : ''}>
          <div>
            <h3>Create a key</h3>
            {hasKeys ? (
              <p className="quiet">{keyName ? `You have the key ${keyName}.` : 'Your keys no longer work. Create a new key.'}</p>
            ) : (
              <p className="quiet">The key is shown only once. Have a place ready to store it.</p>
            )}
            {keyName ? null : (
              <p>
                <Link className="button primary" to="/dashboard/keys#new">
                  Create key
                </Link>
              </p>
            )}
          </div>
        </li>
        <li className={isUsed ? 'done' : ''}>
          <div>
            <h3>Send a request</h3>
            <p className="quiet">Set MARQUEE_KEY to your key and run this in a terminal.</p>
            <CopyBlock text={curlOf(publicUrl)} label="the request" />
          </div>
        </li>
        <li className={isUsed ? 'done' : ''}>
          <div>
            <h3>See the request arrive</h3>
            {isUsed ? (
              <Notice kind="good" title="Your first request has arrived.">
                <Link to="/dashboard/usage">Your usage</Link> shows every request from now on.
              </Notice>
            ) : (
              <>
                <p className="quiet">It shows up here within a second.</p>
                <noscript>
                  <a href="/dashboard">Reload</a>
                </noscript>
              </>
            )}
          </div>
        </li>
      </ol>
    </section>
  );
}

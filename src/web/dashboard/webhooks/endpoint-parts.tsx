import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { CopyBlock } from '../../design/code.tsx';
import { Moment } from '../../design/moment.tsx';
import { Badge, Notice } from '../../design/notice.tsx';

interface Shown {
  state: 'unproven' | 'active' | 'paused' | 'stopped' | 'disabled';
  failures: number;
}

export function StateBadge({ state, failures }: Shown) {
  if (state === 'active') return failures > 0 ? <Badge kind="warn">Failing</Badge> : <Badge kind="good">Healthy</Badge>;
  return <Badge kind={state === 'disabled' || state === 'stopped' ? 'bad' : 'warn'}>{STATE_NAMES[state]}</Badge>;
}

const STATE_NAMES = { unproven: 'Not verified', paused: 'Paused', stopped: 'Stopped', disabled: 'Disabled' } as const;

/** Why nothing is sent, and what to do. */
export function describeState(state: Shown['state'], reason: string | null): string | null {
  if (state === 'unproven') return 'Nothing is sent until the endpoint has returned a challenge. Verify it when it is ready.';
  if (state === 'paused') return 'You paused this endpoint. Changes are not stored for it: activate it, then recover the range.';
  return reason !== null && Object.hasOwn(REASONS, reason) ? REASONS[reason as keyof typeof REASONS] : null;
}

/** Why nothing is sent for the rest of the day. */
export function DayLimit({ until }: { until: Date }) {
  return (
    <Notice kind="warn" title="Your endpoints are paused until midnight UTC">
      Your account had 1,000,000 messages today (UTC). Further messages wait, and Marquee sends them from <Moment at={until} />{' '}
      on.
    </Notice>
  );
}

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

interface Props {
  shown: { id: string; shown: { secret: string | null; publicKey: string | null }; isRotated: boolean };
}

/** Secrets of an endpoint, this once. */
export function ShownSecret({ shown: { id, shown, isRotated } }: Props) {
  // A page that is left may be brought back as it was: without the secret.
  const [isLeft, setLeft] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  useEffect(() => {
    const leave = () => setLeft(true);
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, []);
  if (isLeft) return null;
  return (
    <section className="card stack new-key" aria-labelledby="shown" ref={section} tabIndex={-1}>
      <h2 id="shown">{isRotated ? 'Your new signing secret' : 'Your signing secret'}</h2>
      {shown.secret ? (
        <>
          <p>
            Copy the secret now: <strong>it is shown only once</strong>.
          </p>
          <CopyBlock text={shown.secret} label="the signing secret" />
        </>
      ) : null}
      {shown.publicKey ? (
        <>
          <p>The public key verifies v1a signatures:</p>
          <CopyBlock text={shown.publicKey} label="the public key" />
        </>
      ) : null}
      {isRotated ? <p>The old secret also signs messages for 24 hours.</p> : null}
      <p>
        <Link className="button primary" to={`/dashboard/webhooks/${id}`}>
          Continue to the endpoint
        </Link>
      </p>
    </section>
  );
}

const REASONS = {
  plan: 'Your plan or your account does not allow webhooks now. Messages that wait are kept for 24 hours.',
  account: 'Your account is not active. Messages that wait are kept for 24 hours.',
  feed_removed: 'The feed that filters this endpoint was removed. Choose another filter, then activate it.',
  gone: 'The endpoint returned status 410, which means that it wants no more messages.',
  failing: 'The endpoint failed for five days.',
  backlog: 'More than 500,000 messages were waiting for the endpoint.',
} as const;

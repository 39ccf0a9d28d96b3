import { Badge } from '../../design/notice.tsx';

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

const REASONS = {
  plan: 'Your plan or your account does not allow webhooks now. Messages that wait are kept for 24 hours.',
  account: 'Your account is not active. Messages that wait are kept for 24 hours.',
  feed_removed: 'The feed that filters this endpoint was removed. Choose another filter, then activate it.',
  gone: 'The endpoint returned status 410, which means that it wants no more messages.',
  failing: 'The endpoint failed for five days.',
  backlog: 'More than 500,000 messages were waiting for the endpoint.',
} as const;

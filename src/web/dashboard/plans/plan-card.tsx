import type { PlanView } from '../../../billing/index.ts';
import { DAY_MS } from '../../../values/duration.ts';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Badge, Notice } from '../../design/notice.tsx';
import { formatNumber } from '../../model/format.ts';
import type { TierFacts } from '../../model/tiers.ts';

interface Props {
  plan: PlanView;
  tiers: readonly TierFacts[];
  kind: 'manual' | 'stripe';
  /** Instant, ms. */
  now: number;
  token: string;
  error: string | undefined;
}

/** One plan: whose it is, what it allows, what is going to happen, and what can be done. */
export function PlanCard({ plan, tiers, kind, now, token, error }: Props) {
  const { subscriptionId, keys, status, payment } = plan;
  const live = keys.filter(({ isLive }) => isLive);
  const tier = tiers.find(({ name }) => name === plan.tier);
  const state = stateOf(plan, now);
  const isEnding = payment?.endsAt != null;
  // Nothing can be changed until it is settled.
  const isDue = payment?.state === 'late' || payment?.state === 'unpaid';
  const hidden = <input type="hidden" name="plan" value={subscriptionId} />;
  return (
    <article className="card stack" aria-labelledby={`plan-${subscriptionId}`}>
      <div className="cluster spread">
        <h2 id={`plan-${subscriptionId}`}>{[...new Set(live.map(({ name }) => name))].join(', ') || 'No key'}</h2>
        <span className="cluster">
          <Badge>{tier?.label}</Badge>
          <Badge kind={state.kind}>{state.word}</Badge>
        </span>
      </div>
      {error ? <Notice kind="bad">{error}</Notice> : null}
      <WhatHappens {...{ plan, tiers, kind, state: state.word }} />
      {tier ? (
        <dl className="facts">
          <dt>{live.length === 1 ? 'Key' : 'Keys'}</dt>
          <dd>
            {live.length === 0 ? <a href="/dashboard/keys">Create a key</a> : null}
            {live.map(({ id, last4 }) => (
              <span key={id}>
                <code>
                  mq_live_{id}_…{last4}
                </code>{' '}
              </span>
            ))}
          </dd>
          <dt>Price</dt>
          <dd>{status === 'trialing' ? 'Free: this is your trial' : priceOf(plan, tier, kind)}</dd>
          <dt>Allows</dt>
          <dd>
            {formatNumber(tier.perDay)} requests a day, {formatNumber(tier.perMinute)} a minute
          </dd>
        </dl>
      ) : null}
      <PostForm className="cluster" token={token}>
        {hidden}
        {isDue ? (
          <Submit intent="portal" small>
            Manage billing
          </Submit>
        ) : (
          tiers
            .filter(({ name }) => (status !== 'active' || name !== plan.tier) && name !== plan.request?.tier)
            .map(({ name, label, priceUsd }) => (
              // The one button that stands out is the one that is needed.
              <Submit
                key={name}
                intent={`choose-${name}`}
                kind={status !== 'active' && name === plan.tier ? 'primary' : ''}
                small
              >
                {verbOf(name, plan, tiers, kind)} {label} (${priceUsd}/month)
              </Submit>
            ))
        )}
        {plan.request || isEnding ? (
          <Submit intent="keep" kind="plain" small>
            {plan.request ? 'Cancel request' : 'Keep plan'}
          </Submit>
        ) : null}
      </PostForm>
      {status === 'active' && !isEnding && plan.request?.tier !== null && (payment || kind === 'manual') ? (
        <details>
          <summary>End plan</summary>
          <PostForm className="stack" token={token}>
            {hidden}
            <p>
              {payment
                ? 'The plan continues until the end of the paid month. Then its keys return 402 until you choose a plan again.'
                : 'The operator decides about your request. Then its keys return 402 until you choose a plan again.'}
            </p>
            <p>
              <Submit intent="end" kind="danger" small>
                {payment ? 'End plan' : 'Request end of plan'}
              </Submit>
            </p>
          </PostForm>
        </details>
      ) : null}
    </article>
  );
}

/** Whatever the reader must know, in whole sentences. */
function WhatHappens({ plan, tiers, kind, state }: Pick<Props, 'plan' | 'tiers' | 'kind'> & { state: string }) {
  const { status, trialEndsAt, request, answer, payment, checkout } = plan;
  const labelOf = (name: string | null) => tiers.find((tier) => tier.name === name)?.label;
  const deed = kind === 'stripe' ? 'a plan is paid for' : 'the operator approves a plan';
  return (
    <>
      {status === 'trialing' && trialEndsAt && state !== 'Trial over' ? (
        <Notice kind="warn">
          <p>
            The trial ends on <Moment at={trialEndsAt} />. Its keys then return 402 (<code>trial_expired</code>) until {deed}. You
            are not charged automatically.
          </p>
        </Notice>
      ) : null}
      {state === 'Trial over' ? (
        <Notice kind="warn" title="The trial is over">
          <p>
            Its keys return 402 (<code>trial_expired</code>) until {deed}. Then they work again within a second.
          </p>
        </Notice>
      ) : null}
      {status === 'inactive' ? (
        <Notice kind="warn">
          <p>
            Its keys return 402 (<code>subscription_inactive</code>) until {payment ? 'the payment is made' : deed}.
          </p>
        </Notice>
      ) : null}
      {payment?.state === 'late' ? (
        <Notice kind="warn" title="The last payment failed">
          <p>Stripe will try again, and the keys keep working meanwhile. Check your card to keep them working.</p>
        </Notice>
      ) : null}
      {payment?.pausedBy ? (
        <Notice>
          <p>Payments are paused. You are not charged for this plan at the moment.</p>
        </Notice>
      ) : null}
      {payment?.endsAt ? (
        <Notice kind="warn">
          <p>
            This plan ends on <Moment at={payment.endsAt} />. Its keys then return 402 until you choose a plan again.
          </p>
        </Notice>
      ) : null}
      {checkout ? (
        <Notice>
          <p>
            A payment for {labelOf(checkout.tier)} was started but not finished. <a href={checkout.url}>Continue payment</a>, or
            choose another plan.
          </p>
        </Notice>
      ) : null}
      {request ? (
        <Notice>
          <p>
            {request.tier ? `You requested ${labelOf(request.tier)}` : 'You requested to end this plan'} on{' '}
            <Moment at={request.askedAt} />. The operator will decide. Nothing has changed yet.
          </p>
        </Notice>
      ) : null}
      {answer?.state === 'declined' && !request ? (
        <Notice>
          <p>
            Your request {answer.tier ? `for ${labelOf(answer.tier)}` : 'to end this plan'} was declined on{' '}
            <Moment at={answer.settledAt} />
            {answer.note ? <>: {answer.note}</> : '.'}
          </p>
        </Notice>
      ) : null}
    </>
  );
}

function stateOf({ status, trialEndsAt, payment }: PlanView, now: number): { word: string; kind: 'good' | 'warn' | 'bad' } {
  if (status === 'inactive') return payment ? { word: 'Unpaid', kind: 'bad' } : { word: 'Not active', kind: 'bad' };
  if (status === 'trialing') {
    const left = Math.ceil(((trialEndsAt?.getTime() ?? now) - now) / DAY_MS);
    if (left <= 0) return { word: 'Trial over', kind: 'bad' };
    return { word: `Trial: ${left} ${left === 1 ? 'day' : 'days'} left`, kind: 'warn' };
  }
  if (payment?.state === 'late') return { word: 'Payment late', kind: 'warn' };
  return payment?.endsAt ? { word: 'Ending', kind: 'warn' } : { word: 'Active', kind: 'good' };
}

function priceOf({ payment, status }: PlanView, { priceUsd }: TierFacts, kind: Props['kind']) {
  if (kind === 'stripe' && status === 'active' && !payment) return 'Free: the operator gave it to you';
  if (!payment?.periodEndsAt || payment.endsAt) return `$${priceUsd} a month`;
  return (
    <>
      ${priceUsd} a month, next on <Moment at={payment.periodEndsAt} as="day" />
    </>
  );
}

function verbOf(name: string, plan: PlanView, tiers: readonly TierFacts[], kind: Props['kind']): string {
  const ask = kind === 'manual' ? 'Request' : '';
  if (plan.status !== 'active') return ask || 'Choose';
  const place = (of: string) => tiers.findIndex((tier) => tier.name === of);
  const verb = place(name) > place(plan.tier) ? 'Upgrade to' : 'Downgrade to';
  return ask || verb;
}

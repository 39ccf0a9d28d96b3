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
  const { subscriptionId, keys } = plan;
  const live = keys.filter(({ isLive }) => isLive);
  const tier = tiers.find(({ name }) => name === plan.tier);
  const state = stateOf(plan, now);
  return (
    <article className="card stack" aria-labelledby={`plan-${subscriptionId}`}>
      <div className="cluster spread">
        <h2 id={`plan-${subscriptionId}`}>{[...new Set(live.map(({ name }) => name))].join(', ') || 'No key'}</h2>
        <span className="cluster">
          <Badge>{tier?.label}</Badge>
          <Badge kind={state.kind}>{state.text}</Badge>
        </span>
      </div>
      {error ? <Notice kind="bad">{error}</Notice> : null}
      <PlanNotices plan={plan} tiers={tiers} kind={kind} isTrialOver={state.text === TRIAL_OVER} />
      {tier ? <PlanTerms plan={plan} tier={tier} kind={kind} /> : null}
      <PlanChoices plan={plan} tiers={tiers} kind={kind} token={token} />
      {canEnd(plan, kind) ? <EndPlan plan={plan} token={token} /> : null}
    </article>
  );
}

/** Its keys, its price and what it allows. */
function PlanTerms({ plan, tier, kind }: Pick<Props, 'plan' | 'kind'> & { tier: TierFacts }) {
  const live = plan.keys.filter(({ isLive }) => isLive);
  return (
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
      <dd>{plan.status === 'trialing' ? 'Free: this is your trial' : priceOf(plan, tier, kind)}</dd>
      <dt>Allows</dt>
      <dd>
        {formatNumber(tier.perDay)} requests a day, {formatNumber(tier.perMinute)} a minute
      </dd>
    </dl>
  );
}

function stateOf({ status, trialEndsAt, payment }: PlanView, now: number): { text: string; kind: 'good' | 'warn' | 'bad' } {
  if (status === 'inactive') return payment ? { text: 'Unpaid', kind: 'bad' } : { text: 'Not active', kind: 'bad' };
  if (status === 'trialing') {
    const left = Math.ceil(((trialEndsAt?.getTime() ?? now) - now) / DAY_MS);
    if (left <= 0) return { text: TRIAL_OVER, kind: 'bad' };
    return { text: `Trial: ${left} ${left === 1 ? 'day' : 'days'} left`, kind: 'warn' };
  }
  if (payment?.state === 'late') return { text: 'Payment late', kind: 'warn' };
  return payment?.endsAt ? { text: 'Ending', kind: 'warn' } : { text: 'Active', kind: 'good' };
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

/** The tiers that the plan may change to, and the way back from what was chosen. */
function PlanChoices({ plan, tiers, kind, token }: Omit<Props, 'now' | 'error'>) {
  const { status, payment, request } = plan;
  // Nothing can be changed until it is paid.
  const isDue = payment?.state === 'late' || payment?.state === 'unpaid';
  const choices = tiers.filter(({ name }) => (status !== 'active' || name !== plan.tier) && name !== request?.tier);
  return (
    <PostForm className="cluster" token={token}>
      <input type="hidden" name="plan" value={plan.subscriptionId} />
      {isDue ? (
        <Submit intent="portal" small>
          Manage billing
        </Submit>
      ) : (
        choices.map(({ name, label, priceUsd }) => (
          // Only the button that is needed is a primary one.
          <Submit key={name} intent={`choose-${name}`} kind={status !== 'active' && name === plan.tier ? 'primary' : ''} small>
            {verbOf(name, plan, tiers, kind)} {label} (${priceUsd}/month)
          </Submit>
        ))
      )}
      {request || isEnding(plan) ? (
        <Submit intent="keep" kind="plain" small>
          {request ? 'Cancel request' : 'Keep plan'}
        </Submit>
      ) : null}
    </PostForm>
  );
}

/** Whether it goes on, and somebody can end it. */
const canEnd = (plan: PlanView, kind: Props['kind']): boolean =>
  plan.status === 'active' && !isEnding(plan) && plan.request?.tier !== null && (plan.payment !== null || kind === 'manual');

function EndPlan({ plan: { subscriptionId, payment }, token }: Pick<Props, 'plan' | 'token'>) {
  return (
    <details>
      <summary>End plan</summary>
      <PostForm className="stack" token={token}>
        <input type="hidden" name="plan" value={subscriptionId} />
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
  );
}

const isEnding = ({ payment }: PlanView): boolean => payment?.endsAt != null;

function verbOf(name: string, plan: PlanView, tiers: readonly TierFacts[], kind: Props['kind']): string {
  const ask = kind === 'manual' ? 'Request' : '';
  if (plan.status !== 'active') return ask || 'Choose';
  const place = (of: string) => tiers.findIndex((tier) => tier.name === of);
  const verb = place(name) > place(plan.tier) ? 'Upgrade to' : 'Downgrade to';
  return ask || verb;
}

/** Whatever the reader must know, in whole sentences. */
function PlanNotices({ plan, tiers, kind, isTrialOver }: Pick<Props, 'plan' | 'tiers' | 'kind'> & { isTrialOver: boolean }) {
  const cure = kind === 'stripe' ? 'a plan is paid for' : 'the operator approves a plan';
  return (
    <>
      <TrialNotice plan={plan} isOver={isTrialOver} cure={cure} />
      {plan.status === 'inactive' ? (
        <Notice kind="warn">
          <p>
            Its keys return 402 (<code>subscription_inactive</code>) until {plan.payment ? 'the payment is made' : cure}.
          </p>
        </Notice>
      ) : null}
      <PaymentNotices plan={plan} tiers={tiers} />
      <RequestNotice plan={plan} tiers={tiers} />
    </>
  );
}

function TrialNotice({ plan: { status, trialEndsAt }, isOver, cure }: { plan: PlanView; isOver: boolean; cure: string }) {
  if (isOver) {
    return (
      <Notice kind="warn" title="The trial is over">
        <p>
          Its keys return 402 (<code>trial_expired</code>) until {cure}. Then they work again within a second.
        </p>
      </Notice>
    );
  }
  if (status !== 'trialing' || !trialEndsAt) return null;
  return (
    <Notice kind="warn">
      <p>
        The trial ends on <Moment at={trialEndsAt} />. Its keys then return 402 (<code>trial_expired</code>) until {cure}. You are
        not charged automatically.
      </p>
    </Notice>
  );
}

/** What Stripe tells of it. */
function PaymentNotices({ plan: { payment, checkout }, tiers }: Pick<Props, 'plan' | 'tiers'>) {
  return (
    <>
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
            A payment for {labelOf(tiers, checkout.tier)} was started but not finished.{' '}
            <a href={checkout.url}>Continue payment</a>, or choose another plan.
          </p>
        </Notice>
      ) : null}
    </>
  );
}

/** The request that waits for the operator, or how the last one ended. */
function RequestNotice({ plan: { request, answer }, tiers }: Pick<Props, 'plan' | 'tiers'>) {
  if (request) {
    return (
      <Notice>
        <p>
          {request.tier ? `You requested ${labelOf(tiers, request.tier)}` : 'You requested to end this plan'} on{' '}
          <Moment at={request.askedAt} />. The operator will decide. Nothing has changed yet.
        </p>
      </Notice>
    );
  }
  if (answer?.state !== 'declined') return null;
  return (
    <Notice>
      <p>
        Your request {answer.tier ? `for ${labelOf(tiers, answer.tier)}` : 'to end this plan'} was declined on{' '}
        <Moment at={answer.settledAt} />
        {answer.note ? <>: {answer.note}</> : '.'}
      </p>
    </Notice>
  );
}

const labelOf = (tiers: readonly TierFacts[], name: string): string | undefined =>
  tiers.find((tier) => tier.name === name)?.label;

const TRIAL_OVER = 'Trial over';

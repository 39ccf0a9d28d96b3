import type { PlanView } from '../../../billing/index.ts';
import { Moment } from '../../design/moment.tsx';
import { Notice } from '../../design/notice.tsx';
import type { TierFacts } from '../../model/tiers.ts';

interface Props {
  plan: PlanView;
  tiers: readonly TierFacts[];
  kind: 'manual' | 'stripe';
  isTrialOver: boolean;
}

/** Whatever the reader must know, in whole sentences. */
export function PlanNotices({ plan, tiers, kind, isTrialOver }: Props) {
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

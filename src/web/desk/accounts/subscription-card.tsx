import type { PlanView } from '../../../billing/index.ts';
import { Choice } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Badge, Notice } from '../../design/notice.tsx';
import type { TierFacts } from '../../model/tiers.ts';
import { PlanState } from './states.tsx';

interface Props {
  plan: PlanView;
  kind: 'manual' | 'stripe';
  tiers: readonly TierFacts[];
  token: string;
  /** Of the account. */
  state: 'active' | 'suspended' | 'closed';
}

/** One subscription of an account, with what an operator may do to it. */
export function SubscriptionCard({ plan, kind, tiers, token, state }: Props) {
  const { subscriptionId, keys, payment, trialEndsAt, status } = plan;
  const mayChange = state === 'active' || (state === 'suspended' && !payment);
  const heading = keys.at(-1)?.name ?? 'No key';
  return (
    <article className="card stack" aria-labelledby={`plan-${subscriptionId}`}>
      <div className="cluster spread">
        <h3 id={`plan-${subscriptionId}`}>{heading}</h3>
        <PlanState plan={plan} />
      </div>
      {status === 'trialing' && trialEndsAt ? (
        <p className="quiet">
          The trial ends on <Moment at={trialEndsAt} />.
        </p>
      ) : null}
      {payment || kind === 'stripe' ? (
        <p className="quiet">
          {payment ? `Paid through Stripe: ${PAYMENTS[payment.state]}.` : 'Not paid through Stripe.'}{' '}
          {payment?.endsAt ? (
            <>
              It ends on <Moment at={payment.endsAt} />.
            </>
          ) : null}
        </p>
      ) : null}
      {payment ? <Pause by={payment.pausedBy} isSuspended={state === 'suspended'} /> : null}
      <ul className="stack tight">
        {keys.map(({ id, name, last4, isLive }) => (
          <li key={id} className="cluster spread">
            <span>
              {name === heading ? null : `${name} `}
              <code>
                mq_live_{id}_…{last4}
              </code>
            </span>
            {isLive ? (
              <details>
                <summary>
                  Revoke <span className="visually-hidden">{id}</span>
                </summary>
                <PostForm className="cluster">
                  <input type="hidden" name="key" value={id} />
                  <span>The key stops working within a second. You cannot undo this.</span>
                  <Submit intent="revoke" kind="danger" small>
                    Revoke key
                  </Submit>
                </PostForm>
              </details>
            ) : (
              <Badge>Ended</Badge>
            )}
          </li>
        ))}
      </ul>
      {mayChange ? (
        <PostForm className="form inline" token={token}>
          <input type="hidden" name="plan" value={subscriptionId} />
          <input type="hidden" name="seen" value={`${plan.tier} ${status}`} />
          <Choice
            label="Tier"
            name="tier"
            defaultValue={plan.tier}
            options={tiers.map(({ name, label }) => ({ value: name, text: label }))}
          />
          <Submit intent="assign" kind="">
            Set tier
          </Submit>
        </PostForm>
      ) : null}
      {payment && mayChange ? (
        <p className="small quiet">
          Changing the tier changes the Stripe subscription. An upgrade charges the developer the difference.
        </p>
      ) : null}
    </article>
  );
}

/** Whether it is charged, where that is not plain. */
function Pause({ by, isSuspended }: { by: 'marquee' | 'stripe' | null; isSuspended: boolean }) {
  if (isSuspended && by) return <p>Nothing is charged while the account is suspended.</p>;
  if (isSuspended)
    return <Notice kind="warn">Still charged: Stripe has not confirmed the pause yet. Marquee checks every minute.</Notice>;
  if (by === 'marquee')
    return <Notice kind="warn">Not charged yet: Stripe has not confirmed the restart yet. Marquee checks every minute.</Notice>;
  return by ? <p>Not charged: the subscription was paused at Stripe.</p> : null;
}

const PAYMENTS = {
  paid: 'up to date',
  late: 'late, Stripe retries',
  unpaid: 'unpaid',
  starting: 'first payment in progress',
} as const;

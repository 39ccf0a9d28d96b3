import type { PlanView } from '../../../billing/index.ts';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import type { TierFacts } from '../../model/tiers.ts';

interface Props {
  plan: PlanView;
  tiers: readonly TierFacts[];
  kind: 'manual' | 'stripe';
  token: string;
}

/** The tiers that the plan may change to, and the way back from what was chosen. */
export function PlanChoices({ plan, tiers, kind, token }: Props) {
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
export const canEnd = (plan: PlanView, kind: Props['kind']): boolean =>
  plan.status === 'active' && !isEnding(plan) && plan.request?.tier !== null && (plan.payment !== null || kind === 'manual');

export function EndPlan({ plan: { subscriptionId, payment }, token }: Pick<Props, 'plan' | 'token'>) {
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

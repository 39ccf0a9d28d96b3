import type { AccountListing } from '../../../accounts/index.ts';
import { Badge } from '../../design/notice.tsx';

/** Nothing for an ordinary account. */
export function AccountState({ account }: { account: Pick<AccountListing, 'status' | 'isOperator' | 'verifiedAt'> }) {
  const { status, isOperator, verifiedAt } = account;
  return (
    <>
      {isOperator ? <Badge>Operator</Badge> : null}
      {status === 'suspended' ? <Badge kind="bad">Suspended</Badge> : null}
      {status === 'closed' ? <Badge>Closed</Badge> : null}
      {status === 'active' && !verifiedAt ? <Badge kind="warn">Not verified</Badge> : null}
    </>
  );
}

export function PlanState({ plan }: { plan: { tier: string; status: string } }) {
  const label = plan.tier.charAt(0).toUpperCase() + plan.tier.slice(1);
  if (plan.status === 'trialing') return <Badge kind="warn">{label}, trial</Badge>;
  return plan.status === 'active' ? <Badge kind="good">{label}</Badge> : <Badge kind="bad">{label}, not active</Badge>;
}

import { data, Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Notice } from '../../design/notice.tsx';
import { rooms } from '../../server/rooms.ts';
import { readTiers } from '../../server/tiers.ts';
import { requireViewer, toActor } from '../../server/viewer.ts';

/** Where Stripe sends a payer back to. The address says which payment, and what became of it is looked up. */
export async function loader(page: LoaderFunctionArgs) {
  const viewer = await requireViewer(page);
  const { billing } = page.context.get(rooms);
  const session = new URL(page.request.url).searchParams.get('session') ?? '';
  const settled = await billing.settle({ by: toActor(viewer, page.context), session });
  if (!settled.ok && settled.reason === 'unknown_checkout') throw data(null, { status: 404 });
  if (!settled.ok) return { state: 'unknown' as const, tier: '', session };
  const tier = readTiers().tiers.find(({ name }) => name === settled.tier)?.label ?? '';
  return { state: settled.state, tier, session };
}

export default function PaymentReturn() {
  const { state, tier, session } = useLoaderData<typeof loader>();
  const { kind, title, text } = SAID[state];
  return (
    <>
      <PageHead title="Your payment" />
      <Notice kind={kind} title={title(tier)}>
        <p>{text}</p>
      </Notice>
      <p className="cluster">
        {state === 'waiting' || state === 'unknown' ? (
          <Link className="button" to={`/dashboard/plans/return?${new URLSearchParams({ session })}`}>
            Check again
          </Link>
        ) : null}
        <Link className="button" to="/dashboard/plans">
          View plans
        </Link>
      </p>
    </>
  );
}

const SAID = {
  paid: {
    kind: 'good',
    title: (tier: string) => `Thank you. ${tier} is active.`,
    text: 'The API applies the plan within a second. You can manage billing on the plans page.',
  },
  waiting: {
    kind: 'plain',
    title: (tier: string) => `${tier} starts when your payment is confirmed.`,
    text: 'Stripe is waiting for your bank. You do not have to do anything. The plan changes automatically.',
  },
  open: {
    kind: 'warn',
    title: () => 'This payment is not finished.',
    text: 'Nothing was charged and nothing has changed. You can continue it on the plans page.',
  },
  expired: {
    kind: 'warn',
    title: () => 'This payment was canceled.',
    text: 'Nothing was charged and nothing has changed. You can choose a plan again at any time.',
  },
  unknown: {
    kind: 'warn',
    title: () => 'Stripe is not responding.',
    text: 'Marquee checks the payment again automatically. If you paid, the plan is active as soon as Stripe responds.',
  },
} as const;

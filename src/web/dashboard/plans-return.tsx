import { data, Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { Notice } from '../design/notice.tsx';
import { PageHead } from '../design/workroom.tsx';
import { personOf } from '../server/person.ts';
import { readTiers } from '../server/read-tiers.ts';
import { rooms } from '../server/rooms.ts';
import { requireViewer } from '../server/viewer.ts';

/** Where Stripe sends a payer back to. The address says which payment, and what became of it is looked up. */
export async function loader(page: LoaderFunctionArgs) {
  const viewer = await requireViewer(page);
  const { billing } = page.context.get(rooms);
  const session = new URL(page.request.url).searchParams.get('session') ?? '';
  const settled = await billing.settle({ by: personOf(viewer, page.context), session });
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
            Look again
          </Link>
        ) : null}
        <Link className="button" to="/dashboard/plans">
          To your plans
        </Link>
      </p>
    </>
  );
}

const SAID = {
  paid: {
    kind: 'good',
    title: (tier: string) => `Thank you. ${tier} is in force.`,
    text: 'The API follows within a second. Invoices and cards are on the page of your plans.',
  },
  waiting: {
    kind: 'plain',
    title: (tier: string) => `${tier} begins when the payment has come through.`,
    text: 'Stripe waits for the bank. Nothing is to be done; the plan changes by itself.',
  },
  open: {
    kind: 'warn',
    title: () => 'This payment is not finished.',
    text: 'Nothing was charged and nothing has changed. You can go on with it from your plans.',
  },
  expired: {
    kind: 'warn',
    title: () => 'This payment was given up.',
    text: 'Nothing was charged and nothing has changed. Choose a plan again whenever you like.',
  },
  unknown: {
    kind: 'warn',
    title: () => 'Stripe does not answer.',
    text: 'What became of the payment is looked up again by itself. If it was made, the plan is in force as soon as Stripe answers.',
  },
} as const;

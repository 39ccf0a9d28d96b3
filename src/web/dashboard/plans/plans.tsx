import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Empty, Notice } from '../../design/notice.tsx';
import { Pager } from '../../design/pager.tsx';
import { TierTable } from '../../design/tier-table.tsx';
import { newFormToken, readFormData, unknownForm } from '../../server/forms.ts';
import { readOwned } from '../../server/keys.ts';
import { rooms } from '../../server/rooms.ts';
import { readTiers } from '../../server/tiers.ts';
import { requireViewer, toActor } from '../../server/viewer.ts';
import { PlanCard } from './plan-card.tsx';

export async function loader(page: LoaderFunctionArgs) {
  const { accountId } = await requireViewer(page);
  const { billing, clocks } = page.context.get(rooms);
  const all = await billing.plansOf(accountId);
  // A plan that ended and whose keys are all revoked is history. What waits for its owner comes first.
  const plans = all
    .filter(({ status, keys }) => status !== 'inactive' || keys.length === 0 || keys.some(({ isLive }) => isLive))
    .toSorted((a, b) => URGENCY.indexOf(a.status) - URGENCY.indexOf(b.status));
  const { searchParams } = new URL(page.request.url);
  const pages = Math.max(1, Math.ceil(plans.length / PLANS_A_PAGE));
  const at = Math.min(pages, Math.max(1, Math.trunc(Number(searchParams.get('page'))) || 1));
  return {
    plans: plans.slice((at - 1) * PLANS_A_PAGE, at * PLANS_A_PAGE),
    at,
    pages,
    kind: billing.kind,
    isTrialOpen: plans.length === 0 && (await (await readOwned(page)).keys.choices(accountId)).free === 'trial',
    hasInvoices: await billing.hasInvoices(accountId),
    facts: readTiers(),
    now: clocks.directory(),
    token: newFormToken(),
    done: searchParams.get('done'),
  };
}

export async function action(page: ActionFunctionArgs) {
  const viewer = await requireViewer(page);
  const { billing } = page.context.get(rooms);
  const form = await readFormData(page.request);
  const text = (name: string) => String(form.get(name) ?? '');
  const by = toActor(viewer, page.context);
  const input = { by, subscriptionId: text('plan'), token: text('token') };
  const intent = text('intent');
  if (intent === 'portal') {
    const opened = await billing.portal(input);
    return opened.ok ? redirect(opened.url) : data({ plan: '', error: opened.detail }, { status: 400 });
  }
  const tier = readTiers().tiers.find(({ name }) => intent === `choose-${name}`)?.name;
  if (!tier && intent !== 'end' && intent !== 'keep') throw unknownForm();
  const answer = tier ? await billing.choose({ ...input, tier }) : await billing[intent as 'end' | 'keep'](input);
  const at = Number(new URL(page.request.url).searchParams.get('page')) || 1;
  const place = at > 1 ? `&page=${at}` : '';
  if (answer.ok) return redirect(answer.outcome === 'pay' ? answer.url : `/dashboard/plans?done=${answer.outcome}${place}`);
  if (answer.reason === 'unknown_subscription') throw data(null, { status: 404 });
  return data({ plan: input.subscriptionId, error: answer.detail }, { status: 400 });
}

export default function Plans() {
  const { plans, at, pages, kind, isTrialOpen, hasInvoices, facts, now, token, done } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const notice = done && !refused && Object.hasOwn(DONE, done) ? DONE[done as keyof typeof DONE] : null;
  return (
    <>
      <PageHead
        title="Plans"
        actions={
          hasInvoices ? (
            <PostForm className="cluster" errors={refused?.plan === '' ? { form: refused.error } : undefined} token={token}>
              <Submit intent="portal" kind="">
                Manage billing
              </Submit>
            </PostForm>
          ) : null
        }
      >
        Each key has its own plan and quota. Changes take effect within a second.
      </PageHead>
      {notice ? <Notice kind="good">{notice}</Notice> : null}
      {plans.map((plan) => (
        <PlanCard
          key={plan.subscriptionId}
          plan={plan}
          kind={kind}
          now={now}
          token={token}
          tiers={facts.tiers}
          error={refused?.plan === plan.subscriptionId ? refused.error : undefined}
        />
      ))}
      <Pager label="Pages of plans" page={at} pages={pages} />
      {plans.length === 0 ? (
        <Empty title="No plan yet">
          {isTrialOpen ? (
            <p>
              Create a key to start a plan. <a href="/dashboard/keys">Create your first key</a>. Its trial ends {facts.trial.days}{' '}
              days after you confirmed your address. You are not charged automatically.
            </p>
          ) : (
            <p>
              Create a key to start a plan. <a href="/dashboard/keys">Create a key</a> and choose its plan there. You are not
              charged automatically.
            </p>
          )}
        </Empty>
      ) : null}
      <section className="stack">
        <h2>Compare plans</h2>
        <TierTable plans={facts} />
        <p className="quiet">
          {kind === 'stripe'
            ? 'Paid monthly through Stripe. An upgrade is charged immediately for the rest of the month. After a downgrade, the difference is deducted from your next invoice.'
            : 'The operator of this service approves or declines each plan request.'}{' '}
          Requests of the last minute still count after a change, so a key may be rate limited briefly after a downgrade.
        </p>
      </section>
    </>
  );
}

const DONE = {
  changed: 'The plan is changed.',
  unchanged: 'Nothing changed: you already have this plan.',
  requested: 'Your request was sent to the operator. Nothing has changed yet.',
  ending: 'The plan is set to end. Until then, nothing changes.',
} as const;

const URGENCY: readonly string[] = ['inactive', 'trialing', 'active'];
const PLANS_A_PAGE = 20;

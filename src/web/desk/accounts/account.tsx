import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import type { PlanView } from '../../../billing/index.ts';
import { PageHead } from '../../design/admin-layout.tsx';
import { Choice } from '../../design/forms/field.tsx';
import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { Badge, Notice } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import { formatNumber } from '../../model/format.ts';
import type { TierFacts } from '../../model/tiers.ts';
import { actOnAccount, noticeOf, readAccount } from '../../server/desk-accounts.ts';
import { newFormToken, readFormData } from '../../server/forms.ts';
import { readTiers } from '../../server/tiers.ts';
import { requireOperator } from '../../server/viewer.ts';
import { RequestForm } from './request-form.tsx';
import { AccountState, PlanState } from './states.tsx';

export async function loader(page: LoaderFunctionArgs) {
  const operator = await requireOperator(page);
  const read = await readAccount(page.context, page.params.id ?? '');
  const isOwn = read.account.id === operator.accountId;
  return { ...read, isOwn, tiers: readTiers().tiers, token: newFormToken(), done: noticeOf(page.request.url) };
}

export async function action(page: ActionFunctionArgs) {
  const operator = await requireOperator(page);
  const { id = '' } = page.params;
  const answer = await actOnAccount(page.context, operator, id, await readFormData(page.request));
  return answer.ok ? redirect(`/desk/accounts/${id}?done=${answer.done}`) : data(answer, { status: 400 });
}

export default function Account() {
  const { account, plans, waiting, entries, kind, isOwn, tiers, token, done } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <PageHead title={account.email} kind="Account" />
      {refused && !refused.note ? <Notice kind="bad">{refused.error}</Notice> : null}
      {done && !refused ? <Notice kind="good">{done}</Notice> : null}
      <section className="stack" aria-labelledby="facts">
        <h2 id="facts" className="visually-hidden">
          Facts
        </h2>
        <dl className="facts">
          <dt>State</dt>
          <dd className="cluster">
            {account.status === 'active' && account.verifiedAt ? 'Active' : null} <AccountState account={account} />
          </dd>
          <dt>Created</dt>
          <dd>
            <Moment at={account.createdAt} />
          </dd>
          <dt>Verified</dt>
          <dd>{account.verifiedAt ? <Moment at={account.verifiedAt} /> : 'Not yet'}</dd>
          <dt>Requests</dt>
          <dd>
            {formatNumber(account.requestsToday)} today, {formatNumber(account.requests30Days)} in 30 days
          </dd>
          <dt>Object ID</dt>
          <dd>
            <code>{account.id}</code>
          </dd>
        </dl>
      </section>
      {waiting.map((request) => (
        <article key={request.id} className="card stack" aria-labelledby={`request-${request.id}`}>
          <h2 id={`request-${request.id}`}>Plan request</h2>
          <RequestForm
            request={request}
            token={token}
            error={refused?.note?.request === request.id ? refused.error : undefined}
            typedNote={refused?.note?.request === request.id ? refused.note.typed : undefined}
          />
        </article>
      ))}
      <section className="stack" aria-labelledby="plans">
        <h2 id="plans">Plans and keys</h2>
        {plans.map((plan) => (
          <SubscriptionCard
            key={plan.subscriptionId}
            plan={plan}
            kind={kind}
            tiers={tiers}
            token={token}
            state={account.status}
          />
        ))}
        {plans.length === 0 ? <p className="quiet">No plan yet: this account has no key.</p> : null}
      </section>
      {isOwn || account.status === 'closed' ? null : <Suspension isSuspended={account.status === 'suspended'} kind={kind} />}
      <Activity entries={entries} />
    </>
  );
}

function Activity({ entries }: Pick<ReturnType<typeof useLoaderData<typeof loader>>, 'entries'>) {
  return (
    <section className="stack" aria-labelledby="trail">
      <h2 id="trail">Activity</h2>
      {entries.length === 0 ? (
        <p className="quiet">No activity yet.</p>
      ) : (
        <DataTable
          stacks
          caption="Activity of this account, latest first"
          head={['Time', 'Actor', 'Action', 'Details', 'IP address']}
        >
          {entries.map(({ id, at, actor, action: name, detail, address }) => (
            <tr key={id}>
              <td>
                <Moment at={at} />
              </td>
              <td>{actor}</td>
              <td>
                <code>{name}</code>
              </td>
              <td>{detail}</td>
              <td>{address}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

function Suspension({ isSuspended, kind }: { isSuspended: boolean; kind: 'manual' | 'stripe' }) {
  const money = kind === 'stripe' ? ' Stripe payments are paused until you reactivate the account.' : '';
  return (
    <section className="card stack" aria-labelledby="suspension">
      <h2 id="suspension">{isSuspended ? 'This account is suspended' : 'Suspend this account'}</h2>
      <p className="quiet">
        {isSuspended
          ? `Its keys return 402, and nobody can sign in. Its plans and keys are kept.${money}`
          : `Its keys return 402 within a second, and nobody can sign in. Nothing is deleted.${money}`}
      </p>
      <PostForm className="cluster">
        <Submit intent={isSuspended ? 'resume' : 'suspend'} kind={isSuspended ? 'primary' : 'danger'}>
          {isSuspended ? 'Reactivate account' : 'Suspend account'}
        </Submit>
      </PostForm>
    </section>
  );
}

interface Props {
  plan: PlanView;
  kind: 'manual' | 'stripe';
  tiers: readonly TierFacts[];
  token: string;
  /** Of the account. */
  state: 'active' | 'suspended' | 'closed';
}

/** One subscription of an account, with what an operator may do to it. */
function SubscriptionCard({ plan, kind, tiers, token, state }: Props) {
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

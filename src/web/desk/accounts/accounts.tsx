import { Form, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Field } from '../../design/forms/field.tsx';
import { Moment } from '../../design/moment.tsx';
import { Badge, Empty, Notice } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import { formatNumber } from '../../model/format.ts';
import { openAccountDesk } from '../../server/desk-accounts.ts';
import { requireOperator } from '../../server/viewer.ts';
import { AccountState, PlanState } from './states.tsx';

export async function loader(page: LoaderFunctionArgs) {
  await requireOperator(page);
  const { searchParams } = new URL(page.request.url);
  const text = searchParams.get('q') ?? '';
  // A whole key has no business in an address; its id is enough.
  const [, keyId] = /(mq_(?:live|test)_[0-9A-Za-z]{12})_/.exec(text) ?? [];
  if (keyId) throw redirect(`/desk/accounts?q=${keyId}`);
  const { accountAdmin, requests } = openAccountDesk(page.context);
  const [found, waiting] = await Promise.all([accountAdmin.find({ text, after: searchParams.get('after') }), requests.waiting()]);
  return { ...found, text, waiting: waiting.length };
}

export default function Accounts() {
  const { rows, next, text, waiting } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Accounts">All accounts, newest first.</PageHead>
      {waiting > 0 ? (
        <Notice kind="warn">
          <Link to="/desk/requests">{waiting === 1 ? 'One plan request' : `${waiting} plan requests`}</Link> waiting for your
          decision.
        </Notice>
      ) : null}
      <search>
        <Form className="form inline seek" action="/desk/accounts">
          <Field
            label="Email address or key"
            hint="Part of an address, or a key’s id (mq_live_…)"
            name="q"
            defaultValue={text}
            maxLength={254}
          />
          <button type="submit" className="button">
            Find
          </button>
        </Form>
      </search>
      {rows.length === 0 ? (
        <Empty title="No accounts found">
          <p>
            <Link to="/desk/accounts">Show all accounts</Link>
          </p>
        </Empty>
      ) : (
        <DataTable
          stacks
          caption="Accounts"
          head={[
            'Account',
            'Plans',
            { text: 'Active keys', number: true },
            { text: 'Today', number: true },
            { text: '30 days', number: true },
            'Created',
          ]}
        >
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <Link to={`/desk/accounts/${row.id}`}>{row.email}</Link> <AccountState account={row} />
              </td>
              <td>
                <span className="cluster">
                  {row.plans.map((plan, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: plans have no names here and never move
                    <PlanState key={index} plan={plan} />
                  ))}
                  {row.plans.length === 0 ? <Badge>none</Badge> : null}
                </span>
              </td>
              <td className="number">{row.liveKeys}</td>
              <td className="number">{formatNumber(row.requestsToday)}</td>
              <td className="number">{formatNumber(row.requests30Days)}</td>
              <td>
                <Moment at={row.createdAt} as="day" />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {next ? (
        <nav className="pager" aria-label="Pages">
          <Link className="button" to={`/desk/accounts?${new URLSearchParams({ ...(text && { q: text }), after: next })}`}>
            Older accounts
          </Link>
        </nav>
      ) : null}
    </>
  );
}

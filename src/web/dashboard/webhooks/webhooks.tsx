import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { Moment } from '../../design/moment.tsx';
import { Empty, Notice } from '../../design/notice.tsx';
import { DataTable } from '../../design/table.tsx';
import { formatNumber } from '../../model/format.ts';
import { readOwnWebhooks } from '../../server/webhooks.ts';
import { DayLimit, NoWebhooks, StateBadge } from './endpoint-parts.tsx';
import '../dashboard.css';

export async function loader(page: LoaderFunctionArgs) {
  const { owner, webhooks, isOpen } = await readOwnWebhooks(page);
  const endpoints = await webhooks.endpoints.list(owner.accountId);
  const waitsUntil = await webhooks.endpoints.waitsUntil(owner.accountId);
  return { isOpen, endpoints, waitsUntil, isRemoved: new URL(page.request.url).searchParams.has('removed') };
}

export default function Webhooks() {
  const { isOpen, endpoints, waitsUntil, isRemoved } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead
        title="Webhooks"
        actions={
          isOpen && endpoints.length > 0 ? (
            <Link className="button" to="/dashboard/webhooks/new">
              New endpoint
            </Link>
          ) : null
        }
      >
        Marquee sends each change to your endpoints as it happens. <Link to="/docs/webhooks">Event types and code</Link>
      </PageHead>
      {isRemoved ? (
        <Notice kind="good" title="The endpoint is removed.">
          Nothing is sent to it any more.
        </Notice>
      ) : null}
      {waitsUntil ? <DayLimit until={waitsUntil} /> : null}
      {isOpen ? null : <NoWebhooks has={endpoints.length} />}
      {endpoints.length > 0 ? (
        <DataTable stacks caption="Your endpoints" head={['Endpoint', 'State', 'Waiting', 'Last delivered']}>
          {endpoints.map(({ id, url, description, state, failures, pending, lastSuccessAt }) => (
            <tr key={id}>
              <td>
                <Link to={`/dashboard/webhooks/${id}`}>{description || url}</Link>
              </td>
              <td>
                <StateBadge state={state} failures={failures} />
              </td>
              <td>{formatNumber(pending)}</td>
              <td>{lastSuccessAt ? <Moment at={lastSuccessAt} /> : 'Never'}</td>
            </tr>
          ))}
        </DataTable>
      ) : isOpen ? (
        <Empty title="No endpoints yet">
          <p>Add the URL of your server, verify it, and send a test event.</p>
          <p>
            <Link className="button primary" to="/dashboard/webhooks/new">
              Create endpoint
            </Link>
          </p>
        </Empty>
      ) : null}
      {endpoints.length > 0 ? <p className="quiet small">{`${endpoints.length} of ${MAX_ENDPOINTS} endpoints.`}</p> : null}
    </>
  );
}

const MAX_ENDPOINTS = 20;

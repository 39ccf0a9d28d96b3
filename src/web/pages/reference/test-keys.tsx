import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { CopyBlock, Marked } from '../../design/code.tsx';
import { DataTable } from '../../design/table.tsx';
import { rooms } from '../../server/rooms.ts';
import { Reference } from './parts.tsx';

export const handle = { isStatic: true };

export const loader = ({ context }: LoaderFunctionArgs) => ({ publicUrl: context.get(rooms).publicUrl });

/** How to test a client without spending requests of a plan. */
export default function TestKeysPage() {
  const { publicUrl } = useLoaderData<typeof loader>();
  return (
    <Reference
      title="Test keys"
      contents={[
        {
          name: 'Test keys',
          entries: [
            { anchor: 'start', text: 'Create a test key' },
            { anchor: 'city', text: 'The test city' },
            { anchor: 'simulate', text: 'Simulate errors' },
          ],
        },
      ]}
    >
      <meta name="description" content="Free keys that read an invented city, and simulated errors for your tests." />
      <p className="lead">A test key lets you build and test a client for free, without a trial and without a plan.</p>
      <h2 id="start">Create a test key</h2>
      <p>
        Create it in the dashboard under <a href="/dashboard/keys#test">Keys</a>. It starts with <code>mq_test_</code> and has the
        endpoints and limits of the tier you choose. It has its own counters. Its requests never count toward a plan or a trial.
      </p>
      <CopyBlock
        text={`curl -H 'X-API-Key: mq_test_…' '${publicUrl}/api/v1/events?when=this_weekend&category=concert'`}
        label="the request"
      />
      <h2 id="city">The test city</h2>
      <p>
        Test keys read Port Alder, an invented city with 150 venues and 1,500 events. Ids, titles and prices are always the same.
        Every Monday at 12:00 AM in the city, all dates move on by seven days. So your examples always find events to come.
      </p>
      <p>
        The change log has one entry for each record, and some status changes. It starts over every Monday with{' '}
        <code>resync</code>. Feeds and exports are empty, and webhooks and the MCP server use the real directory only.
      </p>
      <h2 id="simulate">Simulate errors</h2>
      <p>
        Send the header <code>X-Marquee-Simulate</code> with a test key. A simulated request counts as one request. With a live
        key, the header is rejected with 400.
      </p>
      <CopyBlock
        text={`curl -i -H 'X-API-Key: mq_test_…' -H 'X-Marquee-Simulate: 429' '${publicUrl}/api/v1/events'`}
        label="the simulated error"
      />
      <DataTable caption="Values of X-Marquee-Simulate" head={['Value', 'Response']}>
        {VALUES.map(([value, response]) => (
          <tr key={value}>
            <td>
              <code>{value}</code>
            </td>
            <td>
              <Marked text={response} />
            </td>
          </tr>
        ))}
      </DataTable>
    </Reference>
  );
}

const VALUES = [
  ['429', '429 `rate_limit_minute` with `Retry-After: 2`, and no requests left in the minute'],
  ['500', '500 `internal`, a problem document with a request id'],
  ['slow', 'the ordinary response after five seconds'],
  ['gone', '410 `gone` for one record, and 410 `resync` for `/changes`; 400 on lists'],
] as const;

import { useLoaderData } from 'react-router';
import { EVENT_TYPES } from '../../../webhooks/index.ts';
import { CopyBlock, Marked } from '../../design/code.tsx';
import { DataTable } from '../../design/table.tsx';
import { Reference } from './parts.tsx';
import { VERIFY_CODE } from './verify-code.ts';

export const handle = { isStatic: true };

export const loader = () => ({ types: EVENT_TYPES.map(({ name, says }) => ({ name, says })) });

/** What endpoints receive, and how they verify it. */
export default function WebhookReference() {
  const { types } = useLoaderData<typeof loader>();
  return (
    <Reference
      title="Webhooks"
      contents={[
        { name: 'Messages', entries: [{ anchor: 'types', text: 'Event types' }] },
        {
          name: 'Verify',
          entries: VERIFY_CODE.map(({ language }) => ({ anchor: language.toLowerCase(), text: language })),
        },
      ]}
    >
      <meta name="description" content="Event types of webhooks, their JSON Schemas, and code that verifies signatures." />
      <p className="lead">
        Marquee sends each change in the directory to your endpoints. Each message is signed according to Standard Webhooks. The
        body is <code>{'{ type, timestamp, data }'}</code>.
      </p>
      <section id="types" className="operation">
        <h2>Event types</h2>
        <p>
          <a href="/docs/webhooks.json">JSON Schemas of all types</a>
        </p>
        <DataTable caption="Event types" head={['Type', 'Meaning']}>
          {types.map(({ name, says }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td>
                <Marked text={says} />
              </td>
            </tr>
          ))}
        </DataTable>
      </section>
      <section className="operation">
        <h2>Verify the signature</h2>
        <p>
          Use the raw body of the request. The first message has the type <code>endpoint.challenge</code>. Return status 200 with
          its <code>data.challenge</code> in the body, and nothing else of the message.
        </p>
      </section>
      {VERIFY_CODE.map(({ language, code }) => (
        <section key={language} id={language.toLowerCase()} className="operation">
          <h3>{language}</h3>
          <CopyBlock text={code} label={`the ${language} code`} />
        </section>
      ))}
    </Reference>
  );
}

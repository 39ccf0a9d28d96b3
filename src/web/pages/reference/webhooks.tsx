import { useLoaderData } from 'react-router';
import { EVENT_TYPES } from '../../../webhooks/index.ts';
import { CopyBlock, Marked } from '../../design/code.tsx';
import { DataTable } from '../../design/table.tsx';
import { Reference } from './parts.tsx';

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

/** Code that verifies a signature, ready to paste: the official libraries of Standard Webhooks. */
const VERIFY_CODE: readonly { language: string; code: string }[] = [
  {
    language: 'JavaScript',
    code: `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
// body: the raw text of the request. Throws if the signature is wrong.
const { type, data } = webhook.verify(body, request.headers);`,
  },
  {
    language: 'Python',
    code: `# pip install standardwebhooks
import os
from standardwebhooks.webhooks import Webhook

webhook = Webhook(os.environ["WEBHOOK_SECRET"])
# body: the raw bytes of the request. Raises if the signature is wrong.
message = webhook.verify(body, dict(request.headers))`,
  },
  {
    language: 'Go',
    code: `// go get github.com/standard-webhooks/standard-webhooks/libraries
import standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
if err != nil {
	log.Fatal(err)
}
// body: the raw bytes of the request.
if err := webhook.Verify(body, request.Header); err != nil {
	http.Error(response, "wrong signature", http.StatusBadRequest)
	return
}`,
  },
  {
    language: 'Java',
    code: `// com.standardwebhooks:standardwebhooks
import com.standardwebhooks.Webhook;

Webhook webhook = new Webhook(System.getenv("WEBHOOK_SECRET"));
// body: the raw text; headers: java.net.http.HttpHeaders. Throws if the signature is wrong.
webhook.verify(body, headers);`,
  },
  {
    language: 'Ruby',
    code: `# gem install standardwebhooks
require "standardwebhooks"

webhook = StandardWebhooks::Webhook.new(ENV["WEBHOOK_SECRET"])
# Raises if the signature is wrong.
message = webhook.verify(request.body.read, {
  "webhook-id" => request.env["HTTP_WEBHOOK_ID"],
  "webhook-timestamp" => request.env["HTTP_WEBHOOK_TIMESTAMP"],
  "webhook-signature" => request.env["HTTP_WEBHOOK_SIGNATURE"],
})`,
  },
  {
    language: 'PHP',
    code: `// composer require standard-webhooks/standard-webhooks
$webhook = new \\StandardWebhooks\\Webhook(getenv('WEBHOOK_SECRET'));
// Throws if the signature is wrong.
$message = $webhook->verify(file_get_contents('php://input'), [
    'webhook-id' => $_SERVER['HTTP_WEBHOOK_ID'],
    'webhook-timestamp' => $_SERVER['HTTP_WEBHOOK_TIMESTAMP'],
    'webhook-signature' => $_SERVER['HTTP_WEBHOOK_SIGNATURE'],
]);`,
  },
];

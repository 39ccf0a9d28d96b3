/** Code that verifies a signature, ready to paste: the official libraries of Standard Webhooks. */

export const VERIFY_CODE: readonly { language: string; code: string }[] = [
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

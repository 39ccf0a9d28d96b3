/** Writes signed messages into a file, with whether a receiver must take them, for the libraries of other languages. */

import { writeFileSync } from 'node:fs';
import { createKeyPair, createSecret, createSigner } from '../../../src/webhooks/sign.ts';

interface Vector {
  name: string;
  /** Of the receiver. */
  secret: string;
  headers: Record<string, string>;
  body: string;
  isValid: boolean;
}

const [file = ''] = process.argv.slice(2);
const now = Date.now();
const [secret, before, foreign] = [createSecret(), createSecret(), createSecret()];
const plain = createSigner([secret], []);

writeFileSync(
  file,
  JSON.stringify([
    vector('as it is sent', {}),
    vector('of four minutes ago', { at: now - 240_000 }),
    vector('of four minutes in the future', { at: now + 240_000 }),
    vector('of 301 seconds ago', { at: now - 301_000, isValid: false }),
    vector('of six minutes in the future', { at: now + 360_000, isValid: false }),
    vector('with text of every kind', { body: JSON.stringify({ title: 'Ünïcode 🎭 \u2028 \\ "quoted"' }) }),
    vector('after a rotation, for the new secret', { signer: createSigner([secret, before], []) }),
    vector('after a rotation, for the old secret', { signer: createSigner([secret, before], []), known: before }),
    vector('with a signature of ed25519 beside it', { signer: createSigner([secret], [createKeyPair()]) }),
    vector('of a foreign secret', { known: foreign, isValid: false }),
    { ...vector('with another body', { isValid: false }), body: '{"type":"event.removed"}' },
    withHeader('with another id', 'webhook-id', 'msg_other'),
    withHeader('with another time', 'webhook-timestamp', String(Math.floor(now / 1000) - 1)),
    withHeader('with a time in other figures', 'webhook-timestamp', '²'),
    withHeader('without its signature', 'webhook-signature', 'v1,AAAA'),
    withHeader('with a signature that is no base64', 'webhook-signature', 'v1,AAAAA'),
  ]),
);

function vector(
  name: string,
  { at = now, body = '{"type":"event.updated"}', signer = plain, known = secret, isValid = true },
): Vector {
  const id = 'msg_0123456789abcdef';
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signer.sign(id, new Date(at), body),
  };
  return { name, secret: known, headers, body, isValid };
}

function withHeader(name: string, header: string, value: string): Vector {
  const made = vector(name, { isValid: false });
  return { ...made, headers: { ...made.headers, [header]: value } };
}

import fc from 'fast-check';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { createCallerFacts, createTrustedProxies } from '../../src/server/requests/caller-facts.ts';

const address = fc.constantFrom('10.0.0.1', '10.0.0.2', '192.0.2.7', '2001:db8::1', '::ffff:10.0.0.1', 'unknown', '');
const host = fc.constantFrom('marquee.example', 'evil.example:80', ' inner.example ', '');
const list = (values: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.constant(undefined),
    fc.array(values, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(',')),
    fc.array(values, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' , ')),
  );

it('the caller and the host of a request are those that Fastify finds, whatever the proxies say', async () => {
  for (const proxies of [null, [], ['10.0.0.1'], ['10.0.0.0/8', '2001:db8::/32']]) {
    const isTrusted = proxies && createTrustedProxies(proxies);
    const facts = createCallerFacts(isTrusted);
    const app = fastify({ trustProxy: isTrusted ?? false });
    app.get('/', ({ ip, host, raw }) => ({ theirs: [ip, host], ours: [facts.addressOf(raw), facts.hostOf(raw)] }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('10.0.0.1', '10.0.0.2', '192.0.2.7', '2001:db8::1'),
        list(address),
        list(host),
        async (remoteAddress, chain, hosts) => {
          const said = {
            ...(chain !== undefined && { 'x-forwarded-for': chain }),
            ...(hosts !== undefined && { 'x-forwarded-host': hosts }),
          };
          const answer = await app.inject({ url: '/', remoteAddress, headers: { host: 'own.example', ...said } });
          const { ours, theirs } = answer.json<{ ours: string[]; theirs: string[] }>();
          expect(ours).toEqual(theirs);
        },
      ),
      { numRuns: 200 },
    );
    await app.close();
  }
});

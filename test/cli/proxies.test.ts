import fastify from 'fastify';
import { expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';

const proxiesOf = (text: string) => readConfig({ MARQUEE_TRUST_PROXY: text }).trustProxy;

function serverTakes(entry: string): boolean {
  try {
    fastify({ trustProxy: [entry] });
    return true;
  } catch {
    return false;
  }
}

it.each([
  ...[
    '10.0.0.1',
    '10.0.0.0/8',
    '10.0.0.0/255.0.0.0',
    '::1',
    'fd00::/8',
    '::ffff:10.0.0.1',
    'loopback',
    'linklocal',
    'uniquelocal',
  ],
  ...[
    'foo',
    'proxy.internal',
    '10.0.0.256',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/255.0.255.0',
    'fd00::/129',
    'Loopback',
  ],
  ...['10.0.0.0/8/8', 'fd00::/255.0.0.0', 'constructor'],
])('the proxy %j is taken if the server takes it', (entry) => {
  if (serverTakes(entry)) expect(proxiesOf(`10.1.1.1, ${entry}`)).toEqual(['10.1.1.1', entry]);
  else
    expect(() => proxiesOf(`10.1.1.1, ${entry}`)).toThrow(
      new ConfigError(`MARQUEE_TRUST_PROXY must be addresses or networks, separated by commas, but holds "${entry}"`),
    );
});

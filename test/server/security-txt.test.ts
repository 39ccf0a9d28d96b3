import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createSecurityTxt } from '../../src/server/index.ts';
import { createTestApi, PUBLIC_URL, type TestApi } from '../support/rigs/api.ts';

let api: TestApi;
beforeAll(() => {
  api = createTestApi();
  const now = () => Date.parse('2026-11-27T18:30:00Z');
  api.server.mount(createSecurityTxt('mailto:security@example.org', PUBLIC_URL, now));
});
afterAll(() => api.close());

test('security.txt names the contact, and a day on which it expires', async () => {
  const answer = await api.server.app.inject('/.well-known/security.txt');
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(answer.body).toBe(
    `Contact: mailto:security@example.org\nExpires: 2027-02-26T00:00:00.000Z\nPreferred-Languages: en\nCanonical: ${PUBLIC_URL}/.well-known/security.txt\n`,
  );
});

test.each([
  [undefined, null],
  ['security@example.org', 'mailto:security@example.org'],
  ['mailto:security@example.org', 'mailto:security@example.org'],
  ['https://example.org/security', 'https://example.org/security'],
])('the setting %s is the contact %s', (setting, contact) => {
  expect(readConfig(setting === undefined ? {} : { MARQUEE_SECURITY_CONTACT: setting }).securityContact).toBe(contact);
});

test.each(['http://example.org/', 'nobody', 'javascript:alert(1)', 'mailto:a@b\nContact: x'])(
  'the setting %j is refused',
  (setting) => {
    expect(() => readConfig({ MARQUEE_SECURITY_CONTACT: setting })).toThrow(
      'MARQUEE_SECURITY_CONTACT must be an address or an https URL',
    );
  },
);

import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';

const agentWith = (env: Record<string, string>): string => readConfig(env).userAgent;

it('requests name the version, and the contact or else the public URL', () => {
  expect(agentWith({})).toMatch(/^Marquee\/\d+\.\d+\.\d+$/);
  expect(agentWith({ MARQUEE_PUBLIC_URL: 'https://events.example.org' })).toMatch(/ \(\+https:\/\/events\.example\.org\)$/);
  const both = { MARQUEE_PUBLIC_URL: 'https://events.example.org', MARQUEE_CONTACT: 'events@example.org' };
  expect(agentWith(both)).toMatch(/ \(\+mailto:events@example\.org\)$/);
  expect(() => agentWith({ MARQUEE_CONTACT: 'ftp://example.org' })).toThrow('MARQUEE_CONTACT must be an address or an https URL');
});

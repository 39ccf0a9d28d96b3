import { describe, expect, it } from 'vitest';
import { composeEmail, type EmailKind } from '../../src/mail/index.ts';

const KINDS: EmailKind[] = [
  'verify',
  'signed_up_again',
  'reset',
  'password_changed',
  'two_factor_on',
  'two_factor_off',
  'trial_3_days',
  'trial_1_day',
  'trial_ended',
  'webhook_failing_hour',
  'webhook_failing_day',
  'webhook_disabled',
  'webhook_day_limit',
  'account_deleted',
];

describe('an e-mail', () => {
  it.each(KINDS)('%s says the same in text and in HTML', (kind) => {
    const link = 'https://events.example.org/a?b=c&d=e';
    const { subject, text, html } = composeEmail(kind, { site: 'https://events.example.org', link, endsAt: new Date(0) });
    expect(subject).toMatch(/^[A-Z][^\r\n]{5,60}$/);
    const plain = html
      .replace(/<title>.*<\/title>/, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    for (const paragraph of text.split('\n\n')) {
      for (const line of paragraph.replace(/:$/m, '').split('\n')) if (line.trim() !== '--') expect(plain).toContain(line.trim());
    }
    expect(text.includes(link)).toBe(html.includes('href='));
  });

  it('tells the moment a trial ends', () => {
    const { text } = composeEmail('trial_3_days', {
      site: 'https://x.example',
      endsAt: new Date(Date.UTC(2026, 10, 28, 12, 5)),
    });
    expect(text).toContain('on Nov 28, 2026, 12:05 PM UTC');
  });

  it('holds whatever it is given as text', () => {
    const { html } = composeEmail('verify', { site: '<script>alert(1)</script>', link: 'https://x.example/"onclick="x' });
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('"onclick');
  });
});

import { describe, expect, it } from 'vitest';
import { readEmail } from '../../src/accounts/email.ts';

describe('e-mail addresses', () => {
  it.each([
    'a@b',
    'ada@example.org',
    'ada.l+x@sub.example.co.uk',
    "o'brien@example.org",
    'jörg@müller.example',
    `${'a'.repeat(64)}@example.org`,
  ])('reads %s', (text) => expect(readEmail(text)?.address).toBe(text));

  it.each([
    '',
    '@',
    'ada',
    'ada@',
    '@example.org',
    'a b@example.org',
    'a@b@example.org',
    'ada@-example.org',
    'ada@example..org',
    '.ada@example.org',
    'ada.@example.org',
    'ada@example.org\r\nBcc: x@example.org',
    'ada\u0000@example.org',
    '<ada@example.org>',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b'.repeat(253)}`,
  ])('refuses %j', (text) => expect(readEmail(text)).toBeNull());

  it('knows one account in any case, and one mailbox behind plus tags and what Gmail, Proton and iCloud ignore', () => {
    const same = (left: string, right: string) => {
      const [one, other] = [readEmail(left), readEmail(right)];
      return { account: one?.lower === other?.lower, mailbox: one?.mailbox === other?.mailbox };
    };
    expect(same('Ada@Example.org', 'ada@example.ORG')).toEqual({ account: true, mailbox: true });
    expect(same('ada@example.org', 'ada+two@example.org')).toEqual({ account: false, mailbox: true });
    expect(same('a.da@gmail.com', 'ad.a+x@googlemail.com')).toEqual({ account: false, mailbox: true });
    expect(same('a.d-a@proton.me', 'ad_a+x@protonmail.com')).toEqual({ account: false, mailbox: true });
    expect(same('ada@pm.me', 'ADA@proton.me')).toEqual({ account: false, mailbox: true });
    expect(same('ada+x@me.com', 'ada@icloud.com')).toEqual({ account: false, mailbox: true });
    expect(same('a.da@mac.com', 'ada@mac.com')).toEqual({ account: false, mailbox: false });
    expect(same('a.da@example.org', 'ada@example.org')).toEqual({ account: false, mailbox: false });
    expect(same('+one@example.org', '+two@example.org')).toEqual({ account: false, mailbox: false });
    expect(same('jo\u0308rg@example.org', 'jörg@example.org')).toEqual({ account: true, mailbox: true });
  });
});

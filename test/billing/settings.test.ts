import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';

const WHOLE = {
  STRIPE_SECRET_KEY: 'sk_test_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
  STRIPE_PRICE_STARTER: 'price_1',
  STRIPE_PRICE_GROWTH: 'price_2',
  STRIPE_PRICE_ENTERPRISE: 'price_3',
};

describe('the settings of Stripe', () => {
  it('are none without a secret key, whatever else is set, and whole with one', () => {
    expect(readConfig({ STRIPE_PRICE_STARTER: 'price_1' }).stripe).toBeNull();
    expect(readConfig(WHOLE).stripe).toEqual({
      secretKey: 'sk_test_abc',
      webhookSecret: 'whsec_abc',
      prices: { starter: 'price_1', growth: 'price_2', enterprise: 'price_3' },
      checkoutOrigin: null,
      apiUrl: null,
    });
  });

  it.each([
    ['STRIPE_WEBHOOK_SECRET', ''],
    ['STRIPE_WEBHOOK_SECRET', 'secret'],
    ['STRIPE_SECRET_KEY', 'pk_test_public'],
    ['STRIPE_PRICE_GROWTH', ''],
    ['STRIPE_PRICE_GROWTH', 'prod_1'],
    ['STRIPE_PRICE_ENTERPRISE', 'price_2'],
    ['STRIPE_API_URL', 'https://api.stripe.com'],
    ['STRIPE_API_URL', 'http://127.0.0.1.evil.example:80'],
    ['STRIPE_API_URL', 'http://10.0.0.1:12111'],
    ['STRIPE_API_URL', 'http://localhost:12111'],
    ['STRIPE_CHECKOUT_ORIGIN', 'http://pay.example.com'],
    ['STRIPE_CHECKOUT_ORIGIN', 'pay.example.com'],
    ['STRIPE_CHECKOUT_ORIGIN', 'https://pay.example.com/c'],
    ['STRIPE_CHECKOUT_ORIGIN', 'https://me@pay.example.com'],
    ['STRIPE_CHECKOUT_ORIGIN', "https://pay.example.com; script-src 'unsafe-inline'"],
  ])('refuse the start with %s=%s, and repeat no secret', (name, value) => {
    const read = () => readConfig({ ...WHOLE, [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).not.toThrow(/sk_test_abc|whsec_abc|pk_test_public/);
  });

  it('take a domain of one’s own for Checkout', () => {
    const { stripe } = readConfig({ ...WHOLE, STRIPE_CHECKOUT_ORIGIN: 'https://Pay.example.com/' });
    expect(stripe?.checkoutOrigin).toBe('https://pay.example.com');
    const wrong = () => readConfig({ ...WHOLE, STRIPE_CHECKOUT_ORIGIN: 'https://pay.example.com/c' });
    expect(wrong).toThrow(
      'STRIPE_CHECKOUT_ORIGIN must be https and a host only, such as https://pay.example.com, but is "https://pay',
    );
  });

  it('send requests to a server of this machine alone', () => {
    const { stripe } = readConfig({ ...WHOLE, STRIPE_API_URL: 'http://[::1]:12111/' });
    expect(stripe?.apiUrl).toBe('http://[::1]:12111');
  });

  it('are shown to operators without secrets', () => {
    const shown = JSON.stringify(readConfig(WHOLE).settings);
    expect(shown).not.toMatch(/sk_test_abc|whsec_abc/);
    expect(shown).toContain('price_2');
  });
});

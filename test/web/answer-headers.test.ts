import { describe, expect, test } from 'vitest';
import { pageHeaders } from '../../src/web/server/serving/answer-headers.ts';

describe('a page', () => {
  test('tells browsers to come by https only, where the public address is https', () => {
    expect(pageHeaders('nonce', 'https://events.example.org')).toMatchObject({ 'Strict-Transport-Security': 'max-age=31536000' });
    expect(pageHeaders('nonce', 'http://127.0.0.1:3000')).not.toHaveProperty('Strict-Transport-Security');
  });
});

/** Proofs that a link or a cookie belongs to an account. */

import { createHmac } from 'node:crypto';

/** Says that something is of `id` without naming it, and cannot be made without the secret. */
export function bindingOf(secret: string, purpose: string, id: string): string {
  return createHmac('sha256', secret).update(`${purpose}\0${id}`).digest('base64url');
}

/**
 * What shows that the owner of a URL reads what is sent to it: an answer with the challenge of the message, and without the text that
 * stands beside it. A service that returns whatever it gets returns both.
 */

import { randomBytes } from 'node:crypto';
import { WEBHOOK_LIMITS } from './delivery/deliver.ts';

/** Text that nobody guesses, and that nobody finds in an answer by chance. */
export const newProofText = (): string => randomBytes(TEXT_BYTES).toString('base64url');

/** Null: `answer` is a proof. Else what is wrong with it, for a sentence. */
export function faultOfProof(answer: string, { challenge, withhold }: { challenge: string; withhold: string }): string | null {
  if (!answer.includes(challenge)) return 'did not return the challenge';
  if (answer.includes(withhold)) return 'returned other parts of the message, too';
  // The rest is not read, and may hold anything.
  return Buffer.byteLength(answer) < WEBHOOK_LIMITS.bodyBytes ? null : 'returned too much beside the challenge';
}

const TEXT_BYTES = 24;

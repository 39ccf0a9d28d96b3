/** Changes that the current password is needed for. */

import type { Refusal } from '../../values/refusal.ts';
import { giveBackAll } from './attempts.ts';
import { type Desk, knownTries, refusalOf, refuseTooMany } from './desk.ts';
import type { EngineAnswer, SignInCaller } from './engine/ask.ts';
import { MAX_PASSWORD_LENGTH } from './engine/passwords.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';
import type { SignedIn } from './sessions/current-session.ts';
import type { Sessions } from './sessions/sessions.ts';

/** Asks the engine at `path`; wrong tries count as those of a sign-in. */
export type AskWithPassword = (
  caller: SignInCaller,
  current: string,
  path: string,
  body: Record<string, unknown>,
) => Promise<{ ok: true; person: SignedIn; answer: EngineAnswer } | Refusal<SignInReason>>;

export function createAskWithPassword(
  { engine, attempts }: Pick<Desk, 'engine' | 'attempts'>,
  { readSession }: Pick<Sessions, 'readSession'>,
): AskWithPassword {
  return async (caller, current, path, body) => {
    const person = await readSession(caller.headers);
    if (!person) return refuseSignIn('not_signed_in');
    if (current.length > MAX_PASSWORD_LENGTH) return { ...refuseSignIn('long_password'), field: 'current' };
    const tries = knownTries(`session ${person.sessionId}`);
    const refused = await refuseTooMany(attempts, tries);
    if (refused) return refused;
    const answer = await engine.ask(caller, 'POST', path, body);
    if (answer.code !== 'INVALID_PASSWORD') await giveBackAll(attempts, tries);
    return answer.code === undefined ? { ok: true, person, answer } : refusalOf(answer);
  };
}

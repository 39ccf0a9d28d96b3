/** The link of a sign-up e-mail, confirmed: somebody is signed in and gets the first key, both in one answer. */

import type { SignedIn, SignInReason } from '../../../accounts/index.ts';
import type { Refusal } from '../../../values/refusal.ts';
import type { Confirmed } from '../../model/account.ts';
import { changeKey } from '../keys/change-key.ts';
import { readOwned } from '../keys/own-keys.ts';
import { requestFacts, rooms } from '../rooms.ts';
import { type PageRequest, setViewer } from '../viewer.ts';
import { callerOf } from './auth-responses.ts';

/** A form that is sent twice within seconds gets one key and the same answer. */
export async function confirmAddress(
  page: PageRequest,
  { token, password }: { token: string; password: string },
): Promise<Confirmed | Refusal<SignInReason>> {
  const { onceShown } = page.context.get(rooms);
  const who = `${page.request.headers.get('cookie') ?? ''}\n${password}\n${token}`;
  const outcome = await onceShown(who, 'confirm', () => confirm(page, token, password));
  if (!outcome.ok) return outcome;
  setViewer(page.context, outcome.viewer);
  return outcome;
}

async function confirm(
  page: PageRequest,
  token: string,
  password: string,
): Promise<(Confirmed & { viewer: SignedIn | null }) | Refusal<SignInReason>> {
  const { signIn } = page.context.get(rooms);
  const caller = callerOf(page);
  const { hasTrial } = await signIn.readVerification(caller, token);
  const answer = await signIn.verifyEmail(caller, { token, password });
  if (!answer.ok) return answer;
  const { setCookies } = answer;
  const cookie = setCookies.map((line) => line.split(';', 1)[0]).join('; ');
  const viewer = await signIn.readSession(new Headers({ cookie }));
  setViewer(page.context, viewer);
  if (!hasTrial) return { ok: true, setCookies, viewer, shown: null, problem: MAILBOX_USED };
  return { ok: true, setCookies, viewer, ...(await createFirstKey(page)) };
}

/** The address is confirmed already: if no key can be made, the page says why. */
async function createFirstKey(page: PageRequest): Promise<Pick<Confirmed, 'shown' | 'problem'>> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ intent: 'create', name: FIRST_NAME, plan: 'free' })) form.set(name, value);
  form.set('token', crypto.randomUUID());
  try {
    const outcome = await changeKey(await readOwned(page), form);
    if (outcome.kind === 'shown') return { shown: outcome, problem: null };
    return { shown: null, problem: outcome.kind === 'refused' ? (Object.values(outcome.errors)[0] ?? NO_KEY) : NO_KEY };
  } catch (err) {
    page.context.get(requestFacts).log.error({ err }, 'cannot create the first key of an account');
    return { shown: null, problem: NO_KEY };
  }
}

const FIRST_NAME = 'First key';
const MAILBOX_USED =
  'Each mailbox has one trial, and yours had it with another account. Sign in with the address of that account, or choose a plan for this one.';
const NO_KEY = 'Your first key could not be created right now. Create it on the Keys page of your dashboard.';

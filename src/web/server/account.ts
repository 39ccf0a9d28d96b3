/** The account page: what it shows, and its forms by their intent. */

import { type ActionFunctionArgs, data } from 'react-router';
import { encode } from 'uqr';
import type { SignedIn, SignIn, SignInCaller, SignInReason } from '../../accounts/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import type { AccountPage, FormResult } from '../model/account.ts';
import { readForm } from './forms.ts';
import { rooms } from './rooms.ts';
import { callerOf, cookieHeaders, redirectWith, refused } from './sign-in.ts';
import type { PageRequest } from './viewer.ts';

export async function readAccount(page: PageRequest, viewer: SignedIn): Promise<AccountPage> {
  const { signIn } = page.context.get(rooms);
  const caller = callerOf(page);
  const [passkeys, sessions] = await Promise.all([signIn.listPasskeys(caller), signIn.listSessions(caller)]);
  return {
    viewer: { email: viewer.email, name: viewer.name, twoFactor: viewer.twoFactor },
    passkeys: passkeys.ok ? passkeys.passkeys : [],
    passkeysWork: signIn.passkeysWork,
    sessions: sessions.ok ? sessions.sessions : [],
  };
}

/** Null when no form of the page has that intent. */
export async function submitForm(page: ActionFunctionArgs) {
  const field = await readForm(page.request);
  const intent = field('intent');
  const { signIn } = page.context.get(rooms);
  const caller = callerOf(page);
  const simple = Object.hasOwn(SIMPLE, intent) ? SIMPLE[intent as keyof typeof SIMPLE] : null;
  if (simple) {
    const answer = await simple.work(signIn, caller, field);
    return answer.ok
      ? redirectWith(answer.setCookies, `/dashboard/account?done=${simple.done}`)
      : refused(answer, { name: field('name') }, aboutOf(intent, field));
  }
  if (intent === 'two-factor-begin') {
    const answer = await signIn.beginTwoFactor(caller, { current: field('current') });
    if (!answer.ok) return refused(answer, {}, intent);
    const { uri, secret, backupCodes, setCookies } = answer;
    const result: FormResult = { ok: true, about: intent, start: { qr: qrPath(uri), secret }, backupCodes };
    return data(result, { headers: cookieHeaders(setCookies) });
  }
  if (intent === 'backup-codes') {
    const answer = await signIn.renewBackupCodes(caller, { current: field('current') });
    if (!answer.ok) return refused(answer, {}, intent);
    const result: FormResult = { ok: true, about: intent, backupCodes: answer.backupCodes };
    return data(result, { headers: cookieHeaders(answer.setCookies) });
  }
  return null;
}

/** Of several forms of one kind, such as one for each passkey, the one that was sent. */
const aboutOf = (intent: string, field: (name: string) => string): string => [intent, field('id')].filter(Boolean).join(' ');

type Answer = { ok: true; setCookies: string[] } | Refusal<SignInReason>;
interface Simple {
  done: string;
  work(signIn: SignIn, caller: SignInCaller, field: (name: string) => string): Promise<Answer>;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Rows of dark (true) and light modules, without the quiet zone of four. Throws a `RangeError` for more than 2,953 bytes. */
export function qrModules(text: string): boolean[][] {
  const bytes = [...new TextEncoder().encode(text)];
  if (bytes.length > MAX_BYTES) throw new RangeError(`a QR code holds ${MAX_BYTES} bytes, but the text has ${bytes.length}`);
  return encode(bytes, { ecc: 'L', boostEcc: false, border: 0 }).data;
}

/** One path for an `svg` whose `viewBox` is `0 0 size size`, quiet zone included. */
export function qrPath(text: string): { size: number; path: string } {
  const modules = qrModules(text);
  const runs = modules.flatMap((row, y) => {
    const line = row.map((dark) => (dark ? '#' : '.')).join('');
    return [...line.matchAll(/#+/g)].map(({ 0: run, index: x }) => `M${x + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`);
  });
  return { size: modules.length + 2 * QUIET, path: runs.join('') };
}

const SIMPLE = {
  name: { done: 'name', work: (signIn, caller, field) => signIn.rename(caller, { name: field('name') }) },
  password: {
    done: 'password',
    work: (signIn, caller, field) => signIn.changePassword(caller, { current: field('current'), password: field('password') }),
  },
  'two-factor-confirm': {
    done: 'two-factor-on',
    work: (signIn, caller, field) => signIn.confirmTwoFactor(caller, { code: field('code') }),
  },
  'two-factor-end': {
    done: 'two-factor-off',
    work: (signIn, caller, field) => signIn.disableTwoFactor(caller, { current: field('current') }),
  },
  'passkey-add': {
    done: 'passkey-added',
    work: (signIn, caller, field) => signIn.addPasskey(caller, { response: readJson(field('response')), name: field('name') }),
  },
  'passkey-rename': {
    done: 'passkey-renamed',
    work: (signIn, caller, field) => signIn.renamePasskey(caller, { id: field('id'), name: field('name') }),
  },
  'passkey-remove': {
    done: 'passkey-removed',
    work: (signIn, caller, field) => signIn.removePasskey(caller, { id: field('id') }),
  },
  'session-end': { done: 'session-ended', work: (signIn, caller, field) => signIn.revokeSession(caller, field('id')) },
  'sessions-end': { done: 'sessions-ended', work: (signIn, caller) => signIn.revokeOtherSessions(caller) },
} as const satisfies Record<string, Simple>;
/** Modules of light around the code (§6.3.8). */
const QUIET = 4;
/** Of version 40 in byte mode with error correction level L (table 7). */
const MAX_BYTES = 2_953;

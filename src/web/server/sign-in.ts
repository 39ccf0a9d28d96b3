/** Between the pages of sign-up and sign-in and the room that decides: who asks, and what the answer means for the page. */

import { data, type RouterContextProvider, redirect } from 'react-router';
import { bindingOf, type SignedIn, type SignInCaller, type SignInReason } from '../../accounts/index.ts';
import { formHead } from '../../http/index.ts';
import type { KeptEmail } from '../../mail/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { isSameText } from '../../values/same-text.ts';
import type { Confirmed } from '../model/account.ts';
import { changeKey, readOwned } from './keys.ts';
import { requestFacts, rooms } from './rooms.ts';
import { type PageRequest, setViewer } from './viewer.ts';

export function callerOf({ request, context }: PageRequest): SignInCaller {
  return { headers: request.headers, address: context.get(requestFacts).address };
}

/** For `useActionData`: the sentence by its field, and what was typed; never a password. */
export function refused(refusal: Refusal<SignInReason>, typed: Record<string, string> = {}, about = '') {
  const errors: Record<string, string> = { [refusal.field ?? 'form']: refusal.detail };
  return data({ ok: false as const, reason: refusal.reason, about, errors, typed }, formHead(refusal));
}

export function redirectWith(setCookies: readonly string[], to: string): Response {
  return redirect(to, { headers: cookieHeaders(setCookies) });
}

export function cookieHeaders(setCookies: readonly string[]): Headers {
  const headers = new Headers();
  for (const cookie of setCookies) headers.append('Set-Cookie', cookie);
  return headers;
}

/** To the page that says where an e-mail went. It is the same for every address: the address itself waits in a cookie. */
export function redirectToInbox(
  { context }: PageRequest,
  purpose: 'sign-up' | 'reset',
  email: string,
  setCookies: readonly string[],
) {
  const cookie = writePageCookie(context, INBOX_COOKIE, encodeURIComponent(email), INBOX_SECONDS);
  return redirectWith([...setCookies, cookie], `/check-mail?for=${purpose}`);
}

interface Inbox {
  /** Where the last e-mail that this browser asked for went; null: nobody knows. */
  email: string | null;
  /** Where that e-mail became a file, for its developer. */
  emailId: string | null;
  /** The file with the link to open before e-mails are shown to this browser; null: none is shown here, or it has been opened. */
  welcomeFile: string | null;
}

export async function readInbox(page: PageRequest): Promise<Inbox> {
  const { signIn, mailer } = page.context.get(rooms);
  const email = decodeAddress(readPageCookie(page, INBOX_COOKIE) ?? '');
  const isReader = mayReadEmails(page);
  if (!email || !isReader) return { email, emailId: null, welcomeFile: mailer.isReadable && !isReader ? WELCOME_FILE : null };
  // What was asked for is done after the answer.
  await signIn.onIdle();
  const newest = mailer.recent().find(({ to }) => to.toLowerCase() === email.toLowerCase());
  return { email, emailId: newest?.id ?? null, welcomeFile: null };
}

function decodeAddress(text: string): string | null {
  try {
    const email = decodeURIComponent(text);
    return PLAIN_ADDRESS.test(email) ? email : null;
  } catch {
    return null;
  }
}

/** An email that became a file. Its reader can confirm any address. */
export function readKeptEmail(page: PageRequest, id: string): KeptEmail | null {
  return mayReadEmails(page) ? page.context.get(rooms).mailer.read(id) : null;
}

/**
 * The link of a sign-up e-mail, confirmed: somebody is signed in and gets the first key, both in one answer. A form that is sent twice
 * within seconds gets one key and the same answer.
 */
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

/**
 * The link that shows a browser to be the developer's. Where no mail server is set, e-mails are read on pages, and each can hand over
 * an account. Nothing that a request looks like tells the developer from a stranger: a proxy on this machine connects from a loopback
 * address, and may write `localhost` as the `Host`. So `npm start` prints a secret, which a stranger does not have.
 *
 * `secret`: as `readSecret` gives it. The same after every start, so that a browser stays known.
 */
export const welcomeTokenOf = (secret: string): string => bindingOf(secret, 'welcome', '');

/** `publicUrl`: without a trailing slash. Cookies belong to its host, as the links of e-mails do. */
export const welcomeUrl = (publicUrl: string, secret: string): string => `${publicUrl}/welcome?token=${welcomeTokenOf(secret)}`;

/** A `Set-Cookie` value for whoever opened the genuine link; null for others. */
export function readWelcomeLink({ request, context }: PageRequest): string | null {
  const { welcomeToken } = context.get(rooms);
  const token = new URL(request.url).searchParams.get('token') ?? '';
  return isSameText(token, welcomeToken) ? writePageCookie(context, COOKIE, welcomeToken, A_YEAR_SECONDS, 'Strict') : null;
}

/** Whether e-mails are read on pages here, and this browser has opened the link. */
function mayReadEmails(page: PageRequest): boolean {
  const { mailer, welcomeToken } = page.context.get(rooms);
  return mailer.isReadable && isSameText(readPageCookie(page, COOKIE) ?? '', welcomeToken);
}

/** In the data folder: has the link. */
export const WELCOME_FILE = 'welcome-link';
const COOKIE = '_welcome';
const A_YEAR_SECONDS = 31_536_000;

/** A `Set-Cookie` value of a page's own cookie, beside those of sign-in. No script reads it. */
function writePageCookie(
  context: Readonly<RouterContextProvider>,
  name: string,
  value: string,
  seconds: number,
  sameSite: 'Lax' | 'Strict' = 'Lax',
): string {
  const { signIn, publicUrl } = context.get(rooms);
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${signIn.cookiePrefix}${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=${sameSite}${secure}`;
}

function readPageCookie({ request, context }: PageRequest, name: string): string | null {
  const prefix = `${context.get(rooms).signIn.cookiePrefix}${name}=`;
  const pair = (request.headers.get('cookie') ?? '').split(/;\s*/).find((each) => each.startsWith(prefix));
  return pair ? pair.slice(prefix.length) : null;
}

const INBOX_COOKIE = '_inbox';
const INBOX_SECONDS = 3_600;
const PLAIN_ADDRESS = /^[\x21-\x7e]{3,254}$/;
const FIRST_NAME = 'First key';
const MAILBOX_USED =
  'Each mailbox has one trial, and yours had it with another account. Sign in with the address of that account, or choose a plan for this one.';
const NO_KEY = 'Your first key could not be created right now. Create it on the Keys page of your dashboard.';

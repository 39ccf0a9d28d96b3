/** Accounts and plan requests at the desk: what is shown, and what operators do. Every action is on the audit list. */

import { setTimeout as delay } from 'node:timers/promises';
import { data, type RouterContextProvider } from 'react-router';
import { createAccountAdmin, createAccounts, isTierName, listAudit, type SignedIn, type TierName } from '../../accounts/index.ts';
import { type Actor, type BillingOutcome, type BillingReason, createRequests } from '../../billing/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { fieldsOf, unknownForm } from './forms.ts';
import { rooms } from './rooms.ts';
import { toActor } from './viewer.ts';

type Context = Readonly<RouterContextProvider>;

export function openAccountDesk(context: Context) {
  const { store, clocks } = context.get(rooms);
  const { db } = store;
  return {
    accountAdmin: createAccountAdmin({ db, now: clocks.limits }),
    requests: createRequests({ db, now: clocks.directory }),
  };
}

/** Everything about one account; throws 404 where there is none. */
export async function readAccount(context: Context, accountId: string) {
  const { store, billing } = context.get(rooms);
  const { accountAdmin, requests } = openAccountDesk(context);
  const account = await accountAdmin.read(accountId);
  if (!account) throw data(null, { status: 404 });
  const [plans, waiting] = await Promise.all([billing.plansOf(accountId), requests.waiting(accountId)]);
  const keyIds = plans.flatMap(({ keys }) => keys.map(({ id }) => id));
  const pages = await Promise.all([
    listAudit(store.db, { actor: accountId, limit: MAX_ENTRIES }),
    listAudit(store.db, { subject: 'account', subjectId: accountId, limit: MAX_ENTRIES }),
    listAudit(store.db, { subject: 'key', subjectId: keyIds, limit: MAX_ENTRIES }),
  ]);
  const entries = [...new Map(pages.flatMap(({ rows }) => rows.map((row) => [row.id, row]))).values()]
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, MAX_ENTRIES)
    .map(({ id, at, actor, action, detail, address }) => ({ id, at, actor, action, address, detail: formatDetail(detail) }));
  return { account, plans, waiting, entries, kind: billing.kind };
}

/** `from: starter, active · to: growth, active`: the readable part of an entry's details. */
function formatDetail(detail: Record<string, unknown>): string {
  const format = (value: unknown): string =>
    typeof value === 'object' && value !== null ? Object.values(value).map(format).join(', ') : String(value);
  const shown = Object.entries(detail).filter(([name]) => !IDS.has(name));
  return shown.map(([name, value]) => `${name}: ${format(value)}`).join(' · ');
}

interface RefusedAccountAction {
  ok: false;
  error: string;
  /** The request whose `note` the sentence is about, and what was typed there; absent when it is about the whole. */
  note?: { request: string; typed: string };
}

type Outcome = { ok: true; done: keyof typeof NOTICES } | RefusedAccountAction;

interface AccountAction {
  context: Context;
  accountId: string;
  by: Actor;
  /** A field of the form. */
  text(name: string): string;
}

/** What a form of the desk asks for: done, or one sentence why not. Throws 404 for what is not of this account. */
export async function actOnAccount(context: Context, operator: SignedIn, accountId: string, form: FormData): Promise<Outcome> {
  const text = fieldsOf(form);
  if (!(await openAccountDesk(context).accountAdmin.read(accountId))) throw data(null, { status: 404 });
  const intent = text('intent');
  const act = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined;
  if (act) return act({ context, accountId, by: toActor(operator, context), text });
  return decideRequest(context, operator, form, accountId);
}

const ACTIONS: Readonly<Record<string, (action: AccountAction) => Promise<Outcome>>> = {
  suspend: (action) => setSuspended(action, true),
  resume: (action) => setSuspended(action, false),
  revoke: revokeKey,
  assign: assignTier,
};

async function setSuspended({ context, accountId, by }: AccountAction, suspended: boolean): Promise<Outcome> {
  if (accountId === by.accountId) return { ok: false, error: 'You cannot suspend your own account.' };
  const { accountAdmin } = openAccountDesk(context);
  const changed = await accountAdmin.setSuspended({ accountId, suspended, ...auditOf(by) });
  if (!changed) return { ok: true, done: 'unchanged' };
  // Stripe may take its time, and is asked until it answers; the page says how far it is.
  const { billing } = context.get(rooms);
  await Promise.race([billing.followSuspension(accountId), delay(MAX_WAIT_MS, undefined, { ref: false })]);
  return { ok: true, done: suspended ? 'suspend' : 'resume' };
}

async function revokeKey({ context, accountId, by, text }: AccountAction): Promise<Outcome> {
  const { store, clocks } = context.get(rooms);
  const accounts = createAccounts({ db: store.db, now: clocks.directory });
  const revoked = await accounts.revokeKey(text('key'), { accountId, ...auditOf(by) });
  if (revoked.ok) return { ok: true, done: 'revoke' };
  if (revoked.reason === 'unknown_key') throw data(null, { status: 404 });
  return { ok: true, done: 'unchanged' };
}

async function assignTier({ context, accountId, by, text }: AccountAction): Promise<Outcome> {
  const { billing } = context.get(rooms);
  const plan = (await billing.plansOf(accountId)).find(({ subscriptionId }) => subscriptionId === text('plan'));
  if (!plan) throw data(null, { status: 404 });
  const [seenTier = '', seenStatus = ''] = text('seen').split(' ');
  const tier = text('tier');
  if (!isTierName(tier) || !isTierName(seenTier) || !isStatus(seenStatus)) throw unknownForm();
  const expect = { tier: seenTier, status: seenStatus };
  const { subscriptionId } = plan;
  return outcomeOf(await billing.assign({ by, subscriptionId, token: text('token'), tier, expect }), 'assign');
}

/** Approves or declines; with `accountId` only what that account asked for. */
export async function decideRequest(context: Context, operator: SignedIn, form: FormData, accountId?: string): Promise<Outcome> {
  const { requests } = openAccountDesk(context);
  const text = fieldsOf(form);
  const by = toActor(operator, context);
  const id = text('request');
  const intent = text('intent');
  if (intent !== 'approve' && intent !== 'decline') throw unknownForm();
  if (accountId !== undefined && !(await requests.isOf(id, accountId))) throw data(null, { status: 404 });
  if (intent === 'decline') {
    const typed = text('note');
    const declined = await requests.decline({ by, id, note: typed });
    const isAboutNote = !declined.ok && declined.reason === 'missing_note';
    return isAboutNote ? { ok: false, error: declined.detail, note: { request: id, typed } } : outcomeOf(declined, 'decline');
  }
  const requested = text('requested');
  const tier: TierName | null = isTierName(requested) ? requested : null;
  if (!tier && requested !== 'end') throw unknownForm();
  return outcomeOf(await requests.approve({ by, id, tier }), 'approve');
}

function outcomeOf(answer: BillingOutcome | { ok: true } | Refusal<BillingReason>, done: keyof typeof NOTICES): Outcome {
  if (answer.ok) return { ok: true, done: 'outcome' in answer && answer.outcome === 'unchanged' ? 'unchanged' : done };
  if (answer.reason === 'unknown_subscription' || answer.reason === 'unknown_request') throw data(null, { status: 404 });
  return { ok: false, error: answer.detail };
}

const auditOf = ({ accountId, email, address }: Actor) => ({ actor: { id: accountId, name: email }, address: address ?? null });

/** What a page says after an action that redirected to it; null: no action did. */
export function noticeOf(address: string): string | null {
  const done = new URL(address).searchParams.get('done') ?? '';
  return Object.hasOwn(NOTICES, done) ? NOTICES[done as keyof typeof NOTICES] : null;
}

const NOTICES = {
  suspend: 'The account is suspended. Its keys return 402 within a second, and nobody can sign in.',
  resume: 'The account is active again.',
  revoke: 'The key is revoked. It stops working within a second.',
  assign: 'The tier is set. The API applies it within a second.',
  approve: 'Approved. The API applies the plan within a second.',
  decline: 'Declined. The developer sees it on the plans page.',
  unchanged: 'Nothing changed.',
} as const;

const isStatus = (text: string): text is 'trialing' | 'active' | 'inactive' => ['trialing', 'active', 'inactive'].includes(text);

const MAX_ENTRIES = 50;
/** The stored entry has them; on the page they would hide the rest. */
const IDS: ReadonlySet<string> = new Set(['subscription', 'request']);
const MAX_WAIT_MS = 5_000;

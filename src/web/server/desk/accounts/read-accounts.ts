/** Accounts as the desk shows them, and what operators do to them. Every deed is on the audit list. */

import { setTimeout as delay } from 'node:timers/promises';
import { data, type RouterContextProvider } from 'react-router';
import {
  createAccountAdmin,
  createAccounts,
  isTierName,
  listAudit,
  type SignedIn,
  type TierName,
} from '../../../../accounts/index.ts';
import { type BillingOutcome, type BillingRefusal, createRequests } from '../../../../billing/index.ts';
import { toActor } from '../../actor.ts';
import { unknownForm } from '../../refusal.ts';
import { rooms } from '../../rooms.ts';

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
    listAudit(store.db, { actor: accountId, limit: TRAIL_ROWS }),
    listAudit(store.db, { subject: 'account', subjectId: accountId, limit: TRAIL_ROWS }),
    listAudit(store.db, { subject: 'key', subjectId: keyIds, limit: TRAIL_ROWS }),
  ]);
  const auditTrail = [...new Map(pages.flatMap(({ rows }) => rows.map((row) => [row.id, row]))).values()]
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, TRAIL_ROWS)
    .map(({ id, at, actor, action, detail, address }) => ({ id, at, actor, action, address, detail: formatDetail(detail) }));
  return { account, plans, waiting, trail: auditTrail, kind: billing.kind };
}

export interface RefusedDeed {
  ok: false;
  error: string;
  /** The request whose `note` the sentence is about, and what was typed there; absent when it is about the whole. */
  note?: { request: string; typed: string };
}

/** What a form of the desk asks for: done, or one sentence why not. Throws 404 for what is not of this account. */
export async function actOnAccount(
  context: Context,
  operator: SignedIn,
  accountId: string,
  form: FormData,
): Promise<{ ok: true; done: keyof typeof DEEDS } | RefusedDeed> {
  const { store, billing, clocks } = context.get(rooms);
  const { accountAdmin } = openAccountDesk(context);
  const text = (name: string) => String(form.get(name) ?? '');
  const by = toActor(operator, context);
  const actor = { id: by.accountId, name: by.email };
  const intent = text('intent');
  if (!(await accountAdmin.read(accountId))) throw data(null, { status: 404 });
  if (intent === 'suspend' || intent === 'resume') {
    if (accountId === by.accountId) return { ok: false, error: 'You cannot suspend your own account.' };
    const address = by.address ?? null;
    const changed = await accountAdmin.setSuspended({ accountId, suspended: intent === 'suspend', actor, address });
    // Stripe may take its time, and is asked until it answers; the page says how far it is.
    if (changed) await Promise.race([billing.followSuspension(accountId), delay(MAX_WAIT_MS, undefined, { ref: false })]);
    return changed ? { ok: true, done: intent } : { ok: true, done: 'unchanged' };
  }
  if (intent === 'revoke') {
    const accounts = createAccounts({ db: store.db, now: clocks.directory });
    const revoked = await accounts.revokeKey(text('key'), { accountId, actor, address: by.address ?? null });
    if (revoked.ok) return { ok: true, done: 'revoke' };
    if (revoked.reason === 'unknown_key') throw data(null, { status: 404 });
    return { ok: true, done: 'unchanged' };
  }
  if (intent === 'assign') {
    const plan = (await billing.plansOf(accountId)).find(({ subscriptionId }) => subscriptionId === text('plan'));
    if (!plan) throw data(null, { status: 404 });
    const [seenTier = '', seenStatus = ''] = text('seen').split(' ');
    const tier = text('tier');
    if (!isTierName(tier) || !isTierName(seenTier) || !isStatus(seenStatus)) throw unknownForm();
    const expect = { tier: seenTier, status: seenStatus };
    return said(await billing.assign({ by, subscriptionId: plan.subscriptionId, token: text('token'), tier, expect }));
  }
  return settleRequest(context, operator, form, accountId);
}

/** Approves or declines; with `accountId` only what that account asked for. */
export async function settleRequest(
  context: Context,
  operator: SignedIn,
  form: FormData,
  accountId?: string,
): Promise<{ ok: true; done: keyof typeof DEEDS } | RefusedDeed> {
  const { requests } = openAccountDesk(context);
  const text = (name: string) => String(form.get(name) ?? '');
  const by = toActor(operator, context);
  const id = text('request');
  const intent = text('intent');
  if (intent !== 'approve' && intent !== 'decline') throw unknownForm();
  if (accountId !== undefined && !(await requests.isOf(id, accountId))) throw data(null, { status: 404 });
  if (intent === 'decline') {
    const typed = text('note');
    const declined = await requests.decline({ by, id, note: typed });
    const isAboutNote = !declined.ok && declined.reason === 'missing_note';
    return isAboutNote ? { ok: false, error: declined.detail, note: { request: id, typed } } : said(declined, 'decline');
  }
  const requested = text('requested');
  const tier: TierName | null = isTierName(requested) ? requested : null;
  if (!tier && requested !== 'end') throw unknownForm();
  return said(await requests.approve({ by, id, tier }), 'approve');
}

function said(answer: BillingOutcome | { ok: true } | BillingRefusal, deed: keyof typeof DEEDS = 'assign') {
  if (answer.ok) return { ok: true as const, done: 'outcome' in answer && answer.outcome === 'unchanged' ? 'unchanged' : deed };
  if (answer.reason === 'unknown_subscription' || answer.reason === 'unknown_request') throw data(null, { status: 404 });
  return { ok: false as const, error: answer.detail };
}

/** `from: starter, active · to: growth, active`: what a person can read of an entry's details. */
function formatDetail(detail: Record<string, unknown>): string {
  const say = (value: unknown): string =>
    typeof value === 'object' && value !== null ? Object.values(value).map(say).join(', ') : String(value);
  const told = Object.entries(detail).filter(([name]) => !IDS.has(name));
  return told.map(([name, value]) => `${name}: ${say(value)}`).join(' · ');
}

export const DEEDS = {
  suspend: 'The account is suspended. Its keys return 402 within a second, and nobody can sign in.',
  resume: 'The account is active again.',
  revoke: 'The key is revoked. It stops working within a second.',
  assign: 'The tier is set. The API applies it within a second.',
  approve: 'Approved. The API applies the plan within a second.',
  decline: 'Declined. The developer sees it on the plans page.',
  unchanged: 'Nothing changed.',
} as const;

export const deedOf = (address: string): string | null => {
  const done = new URL(address).searchParams.get('done') ?? '';
  return Object.hasOwn(DEEDS, done) ? DEEDS[done as keyof typeof DEEDS] : null;
};

const isStatus = (text: string): text is 'trialing' | 'active' | 'inactive' => ['trialing', 'active', 'inactive'].includes(text);

const TRAIL_ROWS = 50;
const MAX_WAIT_MS = 5_000;
/** They stand in the store's entry; on the page they would hide the rest. */
const IDS: ReadonlySet<string> = new Set(['subscription', 'request']);

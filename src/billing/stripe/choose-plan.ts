/** What a person, or the operator for them, does about a plan that is paid for: choose, end, keep, assign. */

import type { Kysely } from 'kysely';
import { lockSubscription, recordAudit, type TierName } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { actorOf, assign } from '../assign.ts';
import type { Actor, Billing, BillingInput, BillingOutcome } from '../model.ts';
import { type BillingReason, refuse } from '../refusal.ts';
import { withdrawRequest } from '../requests.ts';
import type { Changes } from './changes.ts';
import type { Checkout } from './checkout.ts';
import { refuseCharge } from './faults.ts';
import { loadPaidPlan } from './paid-plans.ts';

export interface PlanChoiceOptions {
  db: Kysely<Database>;
  checkout: Pick<Checkout, 'open'>;
  changes: Changes;
  /** The directory's clock. */
  now: Clock;
  log: Log;
}

type Answer = BillingOutcome | Refusal<BillingReason>;
type TierInput = BillingInput & { tier: TierName };
type Choose = (input: TierInput, accountId: string | null) => Promise<Answer>;
type Note = (input: BillingInput, accountId: string, action: string, detail: Record<string, string>) => Promise<void>;

export function createPlanChoice(options: PlanChoiceOptions): Pick<Billing, 'choose' | 'end' | 'keep' | 'assign'> {
  const { db, changes, now, log } = options;

  const answer = (work: () => Promise<Answer>): Promise<Answer> => work().catch((error: unknown) => refuseCharge(error, log));

  const note = createNote(db, now);
  const choose = createChoice(options, note);

  return {
    choose: (input) => answer(() => choose(input, input.by.accountId)),

    end: (input) =>
      answer(async () => {
        const found = await loadPaidPlan(db, input.subscriptionId, input.by.accountId);
        if (!found) return refuse('unknown_subscription');
        if (found.stripeId === null) return refuse('nothing_to_end');
        const ended = await changes.end(found.stripeId, input.token);
        if (ended.ok) await note(input, found.accountId, 'plan.end', {});
        return ended;
      }),

    keep: (input) =>
      answer(async () => {
        const found = await loadPaidPlan(db, input.subscriptionId, input.by.accountId);
        if (!found) return refuse('unknown_subscription');
        const { by, subscriptionId } = input;
        if (await withdraw(db, subscriptionId, by, now)) return { ok: true, outcome: 'unchanged' };
        if (found.stripeId === null) return refuse('nothing_to_keep');
        const kept = await changes.keep(found.stripeId, input.token);
        if (kept.ok) await note(input, found.accountId, 'plan.keep', {});
        return kept;
      }),

    assign: (input) =>
      answer(async () => {
        const found = await loadPaidPlan(db, input.subscriptionId, null);
        if (!found) return refuse('unknown_subscription');
        if (found.stripeId === null) return assign(db, input, now);
        if (found.tier !== input.expect.tier || found.status !== input.expect.status) return refuse('changed_meanwhile');
        return choose(input, null);
      }),
  };
}

/** Puts what was done on the audit list. */
const createNote =
  (db: Kysely<Database>, now: Clock): Note =>
  async (input, accountId, action, detail) => {
    const about = { subject: 'account', subjectId: accountId, detail: { subscription: input.subscriptionId, ...detail } };
    await recordAudit(db, { ...actorOf(input.by), action, ...about }, { now });
  };

/** A change of what is paid for, or a first payment. `accountId` is null for the operator, who pays for nobody. */
function createChoice({ db, checkout, changes }: PlanChoiceOptions, note: Note): Choose {
  const tierOf = async (subscriptionId: string) => (await loadPaidPlan(db, subscriptionId, null))?.tier;

  /** `unpaid`: nothing is paid for it. `ended`: nothing is paid for it any more. */
  async function changePaid(input: TierInput, accountId: string | null): Promise<Answer | 'unpaid' | 'ended'> {
    const found = await loadPaidPlan(db, input.subscriptionId, accountId);
    if (!found) return refuse('unknown_subscription');
    const { accountStatus, stripeId } = found;
    // Nothing may be charged for: what is changed now would be free.
    if (accountStatus !== 'active') return refuse('closed_account');
    if (stripeId === null) return 'unpaid';
    const changed = await changes.change({ ...input, stripeId, reached: () => tierOf(input.subscriptionId) });
    if (changed !== 'ended' && changed.ok && changed.outcome === 'changed')
      await note(input, found.accountId, 'plan.choose', { tier: input.tier });
    return changed;
  }

  /** Null: something has changed, so look again. */
  async function attempt(input: TierInput, accountId: string | null): Promise<Answer | null> {
    const changed = await changePaid(input, accountId);
    if (typeof changed === 'object') return changed;
    if (changed === 'ended') return null;
    // The operator pays for nobody.
    if (accountId === null) return refuse('changed_meanwhile');
    const opened = await checkout.open(input);
    if (opened === 'paid') return null;
    if (opened.ok) await note(input, input.by.accountId, 'plan.checkout', { tier: input.tier });
    return opened;
  }

  return async (input, accountId) => {
    for (let look = 0; look < MAX_LOOKS; look++) {
      const outcome = await attempt(input, accountId);
      if (outcome) return outcome;
    }
    return refuse('payment_pending');
  };
}

/** A request from the time before Stripe was set up. */
const withdraw = (db: Kysely<Database>, subscriptionId: string, by: Actor, now: Clock): Promise<boolean> =>
  transact(db, async (trx) => {
    const subscription = await lockSubscription(trx, subscriptionId);
    return subscription !== null && withdrawRequest(trx, subscription, by, new Date(now()));
  });

/** Between two looks, somebody else may pay, or a payment may end. */
const MAX_LOOKS = 4;

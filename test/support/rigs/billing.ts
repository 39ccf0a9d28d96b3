/** Billing by Stripe on a gate of its own, against the stub, with the messages coming in by HTTP. */

import { type FastifyInstance, fastify } from 'fastify';
import type { Actor, Billing, PlanView } from '../../../src/billing/index.ts';
import { createStripeBilling } from '../../../src/billing/stripe/stripe-billing.ts';
import { createLog } from '../../../src/log.ts';
import { openStripeStub, type StripeStub, type StubSubscription } from '../fakes/stripe.ts';
import { type GateRig, openGateRig, outcome } from './gate.ts';

export interface BillingRig {
  rig: GateRig;
  stub: StripeStub;
  billing: Billing;
  /** All that was logged. */
  log: string[];
  /** Real time is moved by this much, ms. */
  later: { ms: number };
  /** Another process on the same store, as far as Stripe can see. `db`: a slower way to it. */
  openAnother(db?: GateRig['testStore']['store']['db']): Billing;
  /** The address of another process that messages come to. */
  listenAnother(): Promise<string>;
  /** On an account of its own; `trial`: in its trial, else with a tier that nobody pays for. */
  developer(how?: 'trial' | 'starter'): Promise<Developer>;
  dispose(): Promise<void>;
}

export interface Developer {
  by: Actor;
  key: string;
  subscriptionId: string;
  input: { by: Actor; subscriptionId: string; token: string };
  view(): Promise<PlanView>;
  /** What the API says to the key, and its tier. */
  admit(): Promise<string>;
  tier(): Promise<string | null>;
  /** Chooses and pays. */
  pay(tier: 'starter' | 'growth' | 'enterprise'): Promise<StubSubscription>;
}

export async function openBillingRig(): Promise<BillingRig> {
  const [rig, stub] = await Promise.all([openGateRig(), openStripeStub()]);
  const log: string[] = [];
  const later = { ms: 0 };
  const opened: Billing[] = [];
  const openAnother = (db = rig.testStore.store.db): Billing => {
    const one = createStripeBilling({
      db,
      settings: stub.settings,
      userAgent: 'Marquee/1 (+https://events.example.org)',
      publicUrl: () => 'https://events.example.org',
      log: createLog('trace', { write: (line) => void log.push(line) }),
      clocks: { directory: () => rig.time.directory, limits: () => Date.now() + later.ms },
    });
    opened.push(one);
    return one;
  };
  const billing = openAnother();
  const apps: FastifyInstance[] = [];
  const listen = async ({ routes }: Billing): Promise<string> => {
    const app = fastify();
    apps.push(app);
    if (routes) app.register(routes);
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}/billing/stripe`;
  };
  stub.webhookUrl = await listen(billing);
  let people = 0;

  return {
    rig,
    stub,
    billing,
    log,
    later,
    openAnother,
    listenAnother: () => listen(openAnother()),

    async developer(how = 'starter') {
      const email = `payer-${people++}@example.org`;
      const account = await rig.accounts.createAccount(how === 'trial' ? { email } : { email, tier: how });
      const created = await rig.accounts.createKey({ email });
      if (!account.ok || !created.ok) throw new Error('no account');
      const { key, subscriptionId } = created;
      const by = { accountId: account.id, email };
      const input = { by, subscriptionId, token: `form-${people}` };
      const view = async () => (await billing.plansOf(by.accountId)).find((plan) => plan.subscriptionId === subscriptionId)!;
      return {
        by,
        key,
        subscriptionId,
        input,
        view,
        admit: async () => outcome(await rig.gate.admit(key, '203.0.113.9')),
        async tier() {
          const verdict = await rig.gate.inspect(key, '203.0.113.9');
          return verdict.ok ? verdict.allowance.tier : null;
        },
        async pay(tier) {
          const answer = await billing.choose({ ...input, tier });
          if (!answer.ok || answer.outcome !== 'pay') throw new Error(`nothing to pay: ${JSON.stringify(answer)}`);
          const session = answer.url.split('/').at(-1)!;
          const subscription = stub.pay(session);
          await billing.settle({ by, session });
          return subscription;
        },
      };
    },

    async dispose() {
      for (const app of apps) await app.close();
      for (const each of opened) await each.close();
      await stub.close();
      await rig.dispose();
    },
  };
}

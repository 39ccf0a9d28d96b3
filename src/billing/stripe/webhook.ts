/** Messages of Stripe. One says which subscription to look at, and nothing that it says besides is believed. */

import type { FastifyPluginCallback } from 'fastify';
import type Stripe from 'stripe';
import { retryAfter } from '../../http/index.ts';
import { createDeadline } from '../../store/index.ts';
import { lookAtCheckout } from './checkout.ts';
import { describeFault, type StripeContext } from './client.ts';

/**
 * `POST /billing/stripe`: 400 for what Stripe did not sign within five minutes, 503 where it shall be sent again, else 200.
 * `secret`: of the endpoint, as Stripe shows it: `whsec_…`.
 */
export function createWebhook(context: StripeContext, secret: string): FastifyPluginCallback {
  const { db, stripe, sync, wall, log } = context;
  const inTime = createDeadline(PATIENCE);

  function verify(body: unknown, header: string | string[] | undefined): Stripe.Event | null {
    if (!Buffer.isBuffer(body) || typeof header !== 'string') return null;
    try {
      return stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS, undefined, wall());
    } catch {
      return null;
    }
  }

  async function handle(event: Stripe.Event): Promise<void> {
    if (await wasSeen(event.id)) return;
    if (event.type === 'customer.deleted') {
      await db.deleteFrom('stripe_customer').where('id', '=', event.data.object.id).execute();
    } else {
      await lookAt(event.data.object);
    }
    // After the work: a message whose work failed is a new one when it comes again.
    await db
      .insertInto('stripe_event')
      .values({ id: event.id, type: event.type, at: new Date(wall()) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async function wasSeen(id: string): Promise<boolean> {
    return (await db.selectFrom('stripe_event').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
  }

  async function lookAt(object: Stripe.Event.Data.Object): Promise<void> {
    const { object: kind, id } = object as { object?: string; id?: string };
    if (kind === 'checkout.session' && id) {
      const row = await db.selectFrom('stripe_checkout').selectAll().where('session', '=', id).executeTakeFirst();
      if (row) await lookAtCheckout(context, row);
      return;
    }
    const subscription = subscriptionOf(object);
    if (subscription) await sync(subscription);
  }

  return (room, _options, done) => {
    // The signature is over the bytes, so they must not be read as anything.
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    room.post('/billing/stripe', { bodyLimit: MAX_BYTES }, async (request, reply) => {
      reply.header('Cache-Control', 'no-store');
      const event = verify(request.body, request.headers['stripe-signature']);
      if (!event) {
        log.warn({ requestId: request.id }, 'rejected a webhook message: its Stripe signature is missing, wrong or too old');
        return reply.status(400).send({ received: false });
      }
      try {
        await inTime(() => handle(event));
        return reply.send({ received: true });
      } catch (error) {
        log.error({ ...describeFault(error), event: event.id, type: event.type }, 'cannot process a Stripe message');
        return reply.status(503).headers(retryAfter(RETRY_AFTER_SECONDS)).send({ received: false });
      }
    });
    done();
  };
}

/** The id of the subscription that a message is about. */
function subscriptionOf(object: unknown): string | null {
  const {
    object: kind,
    id,
    parent,
  } = object as {
    object?: string;
    id?: string;
    parent?: { subscription_details?: { subscription?: string | { id: string } } | null } | null;
  };
  if (kind === 'subscription') return id ?? null;
  const subscription = kind === 'invoice' ? parent?.subscription_details?.subscription : null;
  return typeof subscription === 'object' ? (subscription?.id ?? null) : (subscription ?? null);
}

/** Stripe gives up after ten seconds or so. What is given up here may still succeed: then the message is known when it comes again. */
const PATIENCE = { deadlineMs: 4_000, mostHanging: 10 } as const;
const RETRY_AFTER_SECONDS = 30;
/** As Stripe's own library has it. */
const TOLERANCE_SECONDS = 300;
/** An invoice may have many lines. */
const MAX_BYTES = 1024 * 1024;

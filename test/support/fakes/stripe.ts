/**
 * A server that speaks like Stripe, as far as it is asked: customers, Checkout, subscriptions, the portal, idempotency keys. Nothing is
 * charged but a counter. Its messages wait in `events` until a test sends them: again, late, in another order, or with a false signature.
 */

import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StripeSettings } from '../../../src/billing/index.ts';

export interface StripeStub {
  url: string;
  /** Where payers are sent to. */
  payOrigin: string;
  settings: StripeSettings;
  /** What was asked for, as `POST /v1/customers`. */
  asked: string[];
  /** In the order in which they happened. */
  events: StubEvent[];
  subscriptions: Map<string, StubSubscription>;
  sessions: Map<string, StubSession>;
  customers: Map<string, { id: string; email: string; deleted: boolean }>;
  /** In cents, by id. */
  prices: Record<string, number>;
  /** Money taken, in cents. */
  charges: number[];
  /** Change to make the stub misbehave. `lagMs`: the next answer is made at once and arrives so much later. */
  mood: { declines: boolean; down: boolean; delayMs: number; lagMs: number; loseAnswers: number };
  /** As the payer does on Stripe's page. */
  pay(session: string): StubSubscription;
  /** As time does: a payment failed, Stripe gave up, it was paid after all. */
  become(subscription: string, status: string): void;
  /** As time does: a month is over, and the next one is paid for. */
  renew(subscription: string): void;
  /** Where `deliver` and `autoDeliver` send to. */
  webhookUrl: string;
  autoDeliver: boolean;
  deliver(
    event: StubEvent,
    how?: { secret?: string; ageSeconds?: number; alter?: (body: string) => string; to?: string },
  ): Promise<number>;
  /** The same, with the whole answer. */
  send(
    event: StubEvent,
    how?: { secret?: string; ageSeconds?: number; alter?: (body: string) => string; to?: string },
  ): Promise<Response>;
  close(): Promise<void>;
}

export interface StubEvent {
  id: string;
  type: string;
  object: Record<string, unknown>;
}

export interface StubSubscription {
  id: string;
  customer: string;
  status: string;
  price: string;
  metadata: Record<string, string>;
  cancelAtPeriodEnd: boolean;
  /** What becomes of its invoices; null: they are paid. */
  paused: string | null;
  created: number;
  periodEnd: number;
}

export interface StubSession {
  id: string;
  status: 'open' | 'complete' | 'expired';
  customer: string;
  price: string;
  /** Ours; `subscription` is Stripe's, once there is one. */
  ownSubscription: string;
  subscription: string | null;
  successUrl: string;
  cancelUrl: string;
}

export async function openStripeStub(): Promise<StripeStub> {
  const settings = {
    secretKey: 'sk_test_stub',
    webhookSecret: 'whsec_stub',
    prices: { starter: 'price_starter', growth: 'price_growth', enterprise: 'price_enterprise' },
    checkoutOrigin: null as string | null,
    apiUrl: null as string | null,
  };
  const answers = new Map<string, { print: string; answer: Promise<Answer> }>();
  const working = new Set<string>();
  let made = 0;
  const newId = (kind: string) => `${kind}_${++made}${randomUUID().slice(0, 8)}`;
  const now = () => Math.floor(Date.now() / 1000);

  const stub: StripeStub = {
    url: '',
    payOrigin: '',
    settings,
    asked: [],
    events: [],
    subscriptions: new Map(),
    sessions: new Map(),
    customers: new Map(),
    prices: { price_starter: 4_900, price_growth: 14_900, price_enterprise: 29_900 },
    charges: [],
    mood: { declines: false, down: false, delayMs: 0, lagMs: 0, loseAnswers: 0 },
    webhookUrl: '',
    autoDeliver: false,

    pay(id) {
      const session = stub.sessions.get(id)!;
      if (session.status !== 'open') throw new Error(`the session is ${session.status}`);
      const subscription = {
        id: newId('sub'),
        customer: session.customer,
        status: 'active',
        price: session.price,
        metadata: { marquee_subscription: session.ownSubscription },
        cancelAtPeriodEnd: false,
        paused: null,
        created: now(),
        periodEnd: now() + MONTH_SECONDS,
      };
      stub.subscriptions.set(subscription.id, subscription);
      Object.assign(session, { status: 'complete', subscription: subscription.id });
      stub.charges.push(stub.prices[session.price]!);
      tell('customer.subscription.created', toSubscription(subscription));
      tell('invoice.paid', toInvoice(subscription));
      tell('checkout.session.completed', toSession(session));
      return subscription;
    },

    become(id, status) {
      const subscription = stub.subscriptions.get(id)!;
      subscription.status = status;
      tell(
        status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated',
        toSubscription(subscription),
      );
      if (status === 'past_due') tell('invoice.payment_failed', toInvoice(subscription));
    },

    renew(id) {
      const subscription = stub.subscriptions.get(id)!;
      subscription.periodEnd += MONTH_SECONDS;
      if (subscription.paused === null) stub.charges.push(stub.prices[subscription.price]!);
      tell('customer.subscription.updated', toSubscription(subscription));
    },

    async deliver(event, how) {
      const answer = await stub.send(event, how);
      await answer.arrayBuffer();
      return answer.status;
    },

    async send(
      event,
      { secret = settings.webhookSecret, ageSeconds = 0, alter = (text: string) => text, to = stub.webhookUrl } = {},
    ) {
      const body = JSON.stringify({
        id: event.id,
        object: 'event',
        api_version: '2026-10-28.endive',
        created: now(),
        livemode: false,
        type: event.type,
        data: { object: event.object },
      });
      const at = now() - ageSeconds;
      const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
      const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${at},v1=${signature}` };
      return fetch(to, { method: 'POST', headers, body: alter(body) });
    },

    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  function tell(type: string, object: Record<string, unknown>): void {
    const event = { id: newId('evt'), type, object: structuredClone(object) };
    stub.events.push(event);
    if (stub.autoDeliver) void stub.deliver(event).catch(() => undefined);
  }

  const toSubscription = (each: StubSubscription) => ({
    id: each.id,
    object: 'subscription',
    customer: each.customer,
    status: each.status,
    metadata: each.metadata,
    created: each.created,
    cancel_at_period_end: each.cancelAtPeriodEnd,
    cancel_at: each.cancelAtPeriodEnd ? each.periodEnd : null,
    pause_collection: each.paused === null ? null : { behavior: each.paused, resumes_at: null },
    items: { object: 'list', data: [toItem(each)] },
  });
  const toItem = (each: StubSubscription) => ({
    ...{ id: `si_${each.id}`, object: 'subscription_item', current_period_end: each.periodEnd },
    price: { id: each.price, object: 'price', unit_amount: stub.prices[each.price] ?? 100, metadata: {} },
  });
  const toInvoice = (each: StubSubscription) => ({
    id: newId('in'),
    object: 'invoice',
    parent: { type: 'subscription_details', subscription_details: { subscription: each.id } },
  });
  const toSession = (each: StubSession) => ({
    id: each.id,
    object: 'checkout.session',
    status: each.status,
    subscription: each.subscription,
    customer: each.customer,
    client_reference_id: each.ownSubscription,
    url: each.status === 'open' ? `${stub.payOrigin}/pay/${each.id}` : null,
  });

  /** `POST /v1/subscriptions/:id` and the like, with the last part of the path. */
  const ROUTES: Record<string, (id: string, form: URLSearchParams) => Answer> = {
    'POST /v1/customers': (_, form) => {
      const customer = { id: newId('cus'), email: form.get('email') ?? '', deleted: false };
      stub.customers.set(customer.id, customer);
      return ok({ ...customer, object: 'customer' });
    },
    'DELETE /v1/customers/:id': (id) => {
      const customer = stub.customers.get(id);
      if (!customer || customer.deleted) return missing('id');
      customer.deleted = true;
      for (const each of stub.subscriptions.values()) {
        if (each.customer === id && each.status !== 'canceled') stub.become(each.id, 'canceled');
      }
      tell('customer.deleted', { id, object: 'customer' });
      return ok({ id, object: 'customer', deleted: true });
    },
    'POST /v1/checkout/sessions': (_, form) => {
      const customer = form.get('customer') ?? '';
      if (stub.customers.get(customer)?.deleted !== false) return missing('customer');
      const price = form.get('line_items[0][price]') ?? '';
      if (!stub.prices[price]) return missing('line_items[0][price]');
      const session: StubSession = {
        id: newId('cs_test'),
        status: 'open',
        customer,
        price,
        subscription: null,
        ownSubscription: form.get('subscription_data[metadata][marquee_subscription]') ?? '',
        successUrl: form.get('success_url') ?? '',
        cancelUrl: form.get('cancel_url') ?? '',
      };
      stub.sessions.set(session.id, session);
      return ok(toSession(session));
    },
    'GET /v1/checkout/sessions/:id': (id) => {
      const session = stub.sessions.get(id);
      return session ? ok(toSession(session)) : missing('session');
    },
    'POST /v1/checkout/sessions/:id/expire': (id) => {
      const session = stub.sessions.get(id);
      if (!session) return missing('session');
      if (session.status !== 'open') return refused(400, { message: `the session is ${session.status}` });
      session.status = 'expired';
      tell('checkout.session.expired', toSession(session));
      return ok(toSession(session));
    },
    'GET /v1/subscriptions/:id': (id) => {
      const subscription = stub.subscriptions.get(id);
      return subscription ? ok(toSubscription(subscription)) : missing('id');
    },
    'POST /v1/subscriptions/:id': (id, form) => {
      const subscription = stub.subscriptions.get(id);
      if (!subscription) return missing('id');
      if (subscription.status === 'canceled') return refused(400, { message: 'a canceled subscription cannot be changed' });
      const price = form.get('items[0][price]');
      if (price && price !== subscription.price) {
        const dearer = stub.prices[price]! > stub.prices[subscription.price]!;
        if (dearer && form.get('proration_behavior') === 'always_invoice') {
          if (stub.mood.declines)
            return refused(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });
          stub.charges.push(stub.prices[price]! - stub.prices[subscription.price]!);
        }
        subscription.price = price;
      }
      const atEnd = form.get('cancel_at_period_end');
      if (atEnd !== null) subscription.cancelAtPeriodEnd = atEnd === 'true';
      if (form.get('pause_collection') === '') subscription.paused = null;
      subscription.paused = form.get('pause_collection[behavior]') ?? subscription.paused;
      for (const [name, value] of form) {
        const field = /^metadata\[(\w+)\]$/.exec(name)?.[1];
        if (field && value === '') delete subscription.metadata[field];
        else if (field) subscription.metadata[field] = value;
      }
      if (form.get('cancel_at') === '') subscription.cancelAtPeriodEnd = false;
      tell('customer.subscription.updated', toSubscription(subscription));
      return ok(toSubscription(subscription));
    },
    'GET /v1/prices/:id': (id) => {
      const recurring = { interval: 'month', interval_count: 1 };
      const price = { id, object: 'price', active: true, currency: 'usd', unit_amount: stub.prices[id], recurring };
      return price.unit_amount === undefined ? missing('price') : ok(price);
    },
    'POST /v1/billing_portal/sessions': (_, form) => {
      return ok({ id: newId('bps'), object: 'billing_portal.session', url: `${stub.url}/portal/${form.get('customer')}` });
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (!path.startsWith('/v1/')) return servePage(path, request.method ?? 'GET', response);
    stub.asked.push(`${request.method} ${path}`);
    if (stub.mood.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, stub.mood.delayMs));
    if (stub.mood.down) return void response.socket?.destroy();
    const answer = await answerTo(request, path, Buffer.concat(chunks).toString());
    const lag = stub.mood.lagMs;
    stub.mood.lagMs = 0;
    if (lag > 0) await new Promise((resolve) => setTimeout(resolve, lag));
    if (stub.mood.loseAnswers > 0) {
      stub.mood.loseAnswers -= 1;
      return void response.socket?.destroy();
    }
    const headers = { 'Content-Type': 'application/json', 'Request-Id': newId('req'), ...answer.headers };
    response.writeHead(answer.status, headers).end(JSON.stringify(answer.body));
  }

  async function answerTo(request: IncomingMessage, path: string, body: string): Promise<Answer> {
    if (request.headers.authorization !== `Bearer ${settings.secretKey}`)
      return refused(401, { message: 'Invalid API Key provided' });
    const [, kind = '', id = '', act = ''] = /^(\/v1\/(?:checkout\/|billing_portal\/)?\w+)(?:\/(\w+))?(\/\w+)?$/.exec(path) ?? [];
    const route = ROUTES[`${request.method} ${kind}${id && '/:id'}${act}`];
    if (!route) return refused(404, { message: `Unrecognized request URL ${request.method} ${path}` });
    const work = () => route(id, new URLSearchParams(body));
    if (request.method !== 'POST') return work();
    const key = String(request.headers['idempotency-key'] ?? '');
    if (key === '') return refused(400, { message: 'every POST of ours has an idempotency key' });
    const print = `${path} ${body}`;
    const known = answers.get(key);
    if (known && known.print !== print) return refused(400, { type: 'idempotency_error', message: 'other parameters, same key' });
    if (known && working.has(key)) return refused(409, { code: 'idempotency_key_in_use', message: 'in use' });
    if (known) return { ...(await known.answer), headers: { 'Idempotent-Replayed': 'true' } };
    working.add(key);
    const answer = new Promise<Answer>((resolve) => setImmediate(() => resolve(work()))).finally(() => working.delete(key));
    answers.set(key, { print, answer });
    return answer;
  }

  /** The pages that Stripe shows to payers. */
  function servePage(path: string, method: string, response: ServerResponse): void {
    const session = stub.sessions.get(/^\/pay\/(\w+)$/.exec(path)?.[1] ?? '');
    if (session && method === 'POST') {
      if (session.status === 'open') stub.pay(session.id);
      const location = session.successUrl.replace('{CHECKOUT_SESSION_ID}', session.id);
      return void response.writeHead(303, { Location: location }).end();
    }
    const body = session
      ? `<form method="post"><button>Pay ${stub.prices[session.price]! / 100} USD</button></form><a href="${session.cancelUrl}">Back</a>`
      : 'Invoices and cards';
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>Stripe, pretended</title>${body}`);
  }

  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stub.payOrigin = stub.url;
  settings.apiUrl = stub.url;
  return stub;
}

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const refused = (status: number, error: Record<string, unknown>): Answer => ({
  status,
  body: { error: { type: 'invalid_request_error', ...error } },
});
const missing = (param: string): Answer => {
  return refused(param === 'customer' || param.includes('[') ? 400 : 404, {
    code: 'resource_missing',
    param,
    message: `No such ${param}`,
  });
};

const MONTH_SECONDS = 30 * 86_400;

/** The webhook endpoints of an account: what their pages show, and what their forms do. */

import { loadAccountTier } from '../../accounts/index.ts';
import { createFeeds, type Feed } from '../../feeds/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import type { Endpoint, EndpointInput, RedeliveryRange, ShownSecret, WebhookOwner, WebhookReason } from '../../webhooks/index.ts';
import type { RefusedWebhookForm } from '../model/webhooks.ts';
import { fieldsOf, refusal, unknownForm } from './forms.ts';
import type { Rooms } from './rooms.ts';
import { type PageRequest, requireOwner } from './viewer.ts';

interface OwnWebhooks {
  owner: WebhookOwner;
  webhooks: Rooms['webhooks'];
  /** Saved queries of the account. */
  feeds: Feed[];
  rooms: Rooms;
  /** Whether the account's plan has webhooks. */
  isOpen: boolean;
}

/** Throws the way to the sign-in page when nobody is signed in. */
export async function readOwnWebhooks(page: PageRequest): Promise<OwnWebhooks> {
  const { owner, rooms: opened } = await requireOwner(page);
  const { db } = opened.store;
  const now = opened.clocks.directory;
  const [tier, feeds] = await Promise.all([
    loadAccountTier(db, owner.accountId, now()),
    createFeeds({ db, now }).list(owner.accountId),
  ]);
  return {
    owner,
    webhooks: opened.webhooks,
    feeds,
    rooms: opened,
    isOpen: tier === 'enterprise',
  };
}

/** Throws 404 for every endpoint that is not the reader's own. */
export async function requireEndpoint({ webhooks, owner }: OwnWebhooks, id: string | undefined): Promise<Endpoint> {
  const endpoint = await webhooks.endpoints.find(owner.accountId, id ?? '');
  if (!endpoint) throw refusal(404, 'Endpoint not found.');
  return endpoint;
}

export type WebhookOutcome =
  | { kind: 'done'; id: string | null; what: string }
  /** Secrets, in this one answer. */
  | { kind: 'shown'; id: string; shown: ShownSecret; isRotated: boolean }
  | RefusedWebhookForm;

/** `id`: null for a new endpoint. Throws 404 for an endpoint that is not the account's, 400 for a form of no page. */
export async function changeWebhook(own: OwnWebhooks, form: FormData, id: string | null): Promise<WebhookOutcome> {
  const { owner, webhooks, rooms } = own;
  const { endpoints, redelivery } = webhooks;
  const read = fieldsOf(form);
  const intent = read('intent');
  const draft = readDraft(form, read);
  const answer = ({ reason, detail, retryAfterSeconds }: Refusal<WebhookReason>): RefusedWebhookForm => {
    if (reason === 'unknown_endpoint') throw refusal(404, 'Endpoint not found.');
    const errors = { [FIELDS[reason] ?? 'form']: detail };
    return { kind: 'refused', intent, draft, errors, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  };
  const done = (outcome: { ok: true } | Refusal<WebhookReason>, what: string): WebhookOutcome =>
    outcome.ok ? { kind: 'done', id, what } : answer(outcome);

  if (id === null) {
    if (intent !== 'save') throw unknownForm();
    const created = await rooms.onceShown(owner.accountId, read('token'), () => endpoints.create(owner, draft));
    return created.ok ? { kind: 'shown', id: created.id, shown: created.shown, isRotated: false } : answer(created);
  }
  switch (intent) {
    case 'save': {
      const saved = await endpoints.update(owner, id, draft);
      if (!saved.ok) return answer(saved);
      return saved.shown ? { kind: 'shown', id, shown: saved.shown, isRotated: false } : { kind: 'done', id, what: 'saved' };
    }
    case 'rotate': {
      const rotated = await rooms.onceShown(owner.accountId, read('token'), () => endpoints.rotate(owner, id));
      return rotated.ok ? { kind: 'shown', id, shown: rotated.shown, isRotated: true } : answer(rotated);
    }
    case 'verify':
      return done(await endpoints.prove(owner, id), 'verified');
    case 'pause':
      return done(await endpoints.pause(owner, id), 'paused');
    case 'activate':
      return done(await endpoints.resume(owner, id), 'activated');
    case 'test':
      return done(await redelivery.sendTest(owner, id, read('type')), 'tested');
    case 'resend':
      return done(await redelivery.resend(owner, id, read('attempt')), 'resent');
    case 'recover':
      return done(await redelivery.recover(owner, id, readRange(read)), 'recovered');
    case 'remove': {
      const removed = await endpoints.remove(owner, id);
      return removed.ok || removed.reason === 'unknown_endpoint' ? { kind: 'done', id: null, what: 'removed' } : answer(removed);
    }
    default:
      throw unknownForm();
  }
}

function readDraft(form: FormData, read: (field: string) => string): EndpointInput {
  return {
    url: read('url'),
    description: read('description'),
    eventTypes: form.getAll('types').filter((type) => typeof type === 'string'),
    feedId: read('feed') === '' ? null : read('feed'),
    payload: read('payload'),
    order: read('order'),
    publicKey: read('public_key') !== '',
  };
}

/** Sequence numbers, or times in UTC as a browser writes them. What cannot be read is no number, which is refused. */
function readRange(read: (field: string) => string): RedeliveryRange {
  const [from, to] = [read('from').trim(), read('to').trim()];
  if (/^\d+$/.test(from)) return { by: 'sequence', from: Number(from), to: to === '' ? null : Number(to) };
  const instant = (text: string) => Date.parse(/[Zz]|[+-]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
  return { by: 'time', from: instant(from), to: to === '' ? null : instant(to) };
}

/** Fields of the forms that a refusal is about. */
const FIELDS: Partial<Record<WebhookReason, string>> = {
  invalid_url: 'url',
  own_address: 'url',
  invalid_description: 'description',
  no_event_types: 'types',
  unknown_event_type: 'types',
  unknown_feed: 'feed',
  unknown_payload: 'payload',
  unknown_order: 'order',
  invalid_range: 'from',
  long_range: 'from',
};

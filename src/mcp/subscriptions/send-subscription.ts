/** What waits for one subscription, in the order of the log. One occurrence is under way at a time (`tell-subscription.ts`). */

import { loadAccountTier } from '../../accounts/index.ts';
import type { Clocks } from '../../clock.ts';
import { type Cursor, formatCursor, parseCursor } from '../../query/index.ts';
import { createSigner, type Seal, type Signer } from '../../webhooks/index.ts';
import { EVENT_KINDS } from '../events/event-kinds.ts';
import type { EventSource } from '../events/event-source.ts';
import { MCP_ERRORS } from '../protocol/errors.ts';
import { newControlId } from './post-envelope.ts';
import { deleteSubscription, type EventSubscription } from './subscription-rows.ts';
import { createTell, type TellOptions } from './tell-subscription.ts';

export interface SendOptions extends Omit<TellOptions, 'now'> {
  seal: Seal;
  clocks: Clocks;
}

export type SendSubscription = (subscription: EventSubscription, source: EventSource) => Promise<void>;

export function createSendSubscription(options: SendOptions): SendSubscription {
  const { db, seal, clocks, signal } = options;
  const now = clocks.limits;
  const { tell, post, save, release } = createTell({ ...options, now });

  /** The plan has ended: the subscription with it. */
  async function terminate(subscription: EventSubscription, signer: Signer): Promise<void> {
    await deleteSubscription(db, subscription.id, now());
    const error = { code: MCP_ERRORS.event_forbidden.code, message: 'webhooks need an API key of the enterprise plan' };
    const body = JSON.stringify({ type: 'terminated', error });
    await post(subscription, signer, { messageId: newControlId('terminated'), body });
  }

  /** The log is another one since a restore: what lies between nobody can tell. */
  async function tellGap(subscription: EventSubscription, signer: Signer, source: EventSource): Promise<boolean> {
    const head = await source.head();
    const body = JSON.stringify({ type: 'gap', cursor: formatCursor(head) });
    return await tell(subscription, signer, { messageId: newControlId('gap'), body, behind: head });
  }

  /** What was looked at and not told is behind it, too. */
  async function moveTo(subscription: EventSubscription, position: Cursor): Promise<boolean> {
    if (position.sequence <= subscription.position.sequence) return true;
    return await save(subscription, { position });
  }

  /** The next page of what waits. False: there is no further one, or the turn is over. */
  async function tellPage(subscription: EventSubscription, signer: Signer, source: EventSource): Promise<boolean> {
    const kind = EVENT_KINDS.find(({ name }) => name === subscription.name);
    if (!kind) return false;
    const { position } = subscription;
    const limits = { maxEvents: PAGE_SIZE, notBefore: subscription.notBefore ?? Number.NEGATIVE_INFINITY };
    const page = await source.read({ kind, query: subscription.query }, position, limits);
    if (page.cursor.epoch !== position.epoch) return await tellGap(subscription, signer, source);
    const begun = performance.now();
    for (const event of page.events) {
      const behind = parseCursor(event.cursor) ?? page.cursor;
      const told = { messageId: event.eventId, body: JSON.stringify(event), behind };
      if (!(await tell(subscription, signer, told))) return false;
      // A slow endpoint: whether the plan allows the next one is asked again, and whose turn it is.
      if (performance.now() - begun > PAGE_MS) return true;
    }
    return (await moveTo(subscription, page.cursor)) && page.hasMore;
  }

  return async function sendSubscription(subscription, source) {
    const signer = signerOf(subscription, seal, now());
    const begun = performance.now();
    let goesOn = true;
    while (goesOn && !signal.aborted && performance.now() - begun < TURN_MS) {
      if ((await loadAccountTier(db, subscription.accountId, clocks.directory())) !== 'enterprise') {
        return await terminate(subscription, signer);
      }
      goesOn = await tellPage(subscription, signer, source);
    }
    await release(subscription, {});
  };
}

function signerOf({ id, secret, previousSecret, previousUntil }: EventSubscription, seal: Seal, now: number): Signer {
  const isDouble = previousSecret !== null && previousUntil !== null && previousUntil > now;
  const sealed = isDouble ? [secret, previousSecret] : [secret];
  return createSigner(
    sealed.map((each) => seal.open(each, id)),
    [],
  );
}

const PAGE_SIZE = 50;
/** The rest of a page is read again after so long. */
const PAGE_MS = 300;
/** After so long it is another subscription's turn. */
const TURN_MS = 5_000;

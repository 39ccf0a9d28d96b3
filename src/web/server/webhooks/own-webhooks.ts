/** What the pages of webhooks need, for the account of the reader. */

import { loadAccountTier } from '../../../accounts/index.ts';
import { createFeeds, type Feed } from '../../../feeds/index.ts';
import type { Endpoint, WebhookOwner } from '../../../webhooks/index.ts';
import { refusal } from '../refusal.ts';
import { type Rooms, requestFacts, rooms } from '../rooms.ts';
import { type PageRequest, requireViewer } from '../viewer.ts';

export interface OwnWebhooks {
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
  const { accountId, email } = await requireViewer(page);
  const opened = page.context.get(rooms);
  const { address } = page.context.get(requestFacts);
  const { db } = opened.store;
  const now = opened.clocks.directory;
  const [tier, feeds] = await Promise.all([loadAccountTier(db, accountId, now()), createFeeds({ db, now }).list(accountId)]);
  return {
    owner: { accountId, actor: { id: accountId, name: email }, address },
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

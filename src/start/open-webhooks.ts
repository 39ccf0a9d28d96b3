/** Opens what sends webhooks in this process. */

import type { Context } from '../context.ts';
import type { Mailer } from '../mail/index.ts';
import { startSubscriptionSender } from '../mcp/index.ts';
import { openOutbound } from '../outbound/index.ts';
import { beginSearch, type Search } from '../search/index.ts';
import type { Store } from '../store/index.ts';
import type { Tracing } from '../telemetry/index.ts';
import { lookAfterWebhooks, openWebhooks, WEBHOOK_LIMITS } from '../webhooks/index.ts';

export interface WebhookParts {
  store: Store;
  mailer: Mailer;
  publicUrl: string;
  /** See `readSecret`. */
  secret: string;
  tracing: Tracing | null;
}

/** `search`: of this process; null where it has none, and one is opened when there is somebody to tell. */
export async function openSending(
  { config: { allowedHosts, clocks, nowSetting, dataDir }, log }: Context,
  { store, mailer, publicUrl, secret, tracing }: WebhookParts,
  search: (() => Promise<Search>) | null,
): Promise<{ close(): Promise<void> }> {
  const outbound = openOutbound({ allowedHosts, limits: WEBHOOK_LIMITS, now: clocks.limits });
  let own: Promise<Search> | null = null;
  const openOwn = (): Promise<Search> => {
    if (own) return own;
    const opening = beginSearch({ dataDir: undefined, publicUrl, nowSetting, log }).open(store.address);
    own = opening;
    // One that could not be opened is tried again.
    opening.catch(() => {
      own = null;
    });
    return opening;
  };
  const lookAfter = () => lookAfterWebhooks({ db: store.db, mailer, publicUrl, clocks, log });
  const webhooks = await openWebhooks({
    store,
    outbound,
    publicUrl,
    clocks,
    log,
    secret,
    dataDir,
    tracing,
    search: search ?? openOwn,
    onDisabled: () => void lookAfter().catch((err: unknown) => log.error({ err }, 'cannot maintain the webhooks')),
  }).catch(async (error: unknown) => {
    await outbound.close();
    throw error;
  });
  const parts = { store, outbound, publicUrl, clocks, log, secret, search: search ?? openOwn };
  const subscriptions = startSubscriptionSender(parts);
  return {
    async close() {
      await subscriptions.close();
      await webhooks.close();
      await outbound.close();
      await (await own?.catch(() => null))?.close();
    },
  };
}

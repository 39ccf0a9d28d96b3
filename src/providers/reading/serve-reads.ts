/** The inside of a reading process: takes answers one after another, and gives back listings. */

import { runInNewContext } from 'node:vm';
import type { ListingPage, Provider } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { capPage } from './cap-page.ts';
import type { ReaderOrder, ReaderReport } from './reader-messages.ts';

/** Serves the process that forked this one, and ends with it. */
export function serveReads(providers: readonly Provider[]): void {
  const report = (message: ReaderReport): void => void process.send?.(message);
  let goOn = (): void => {};

  process.on('disconnect', () => process.exit());
  process.on('message', (order: ReaderOrder) => {
    if (order.say === 'more') return goOn();
    read(providers, order)
      .then(deliver)
      .catch((error: Error) => {
        const code = error instanceof ProviderError ? error.code : 'crashed';
        report({ say: 'failed', code, message: error.message.slice(0, MAX_MESSAGE_CHARS) });
      });
  });
  report({ say: 'ready' });

  async function deliver({ listings, next }: ListingPage): Promise<void> {
    for (let at = 0; at < listings.length; at += BATCH) {
      const { promise, resolve } = Promise.withResolvers<void>();
      goOn = resolve;
      report({ say: 'listings', listings: listings.slice(at, at + BATCH) });
      await promise;
    }
    report({ say: 'done', next });
  }
}

async function read(providers: readonly Provider[], order: Extract<ReaderOrder, { say: 'read' }>): Promise<ListingPage> {
  const { kind, answer, source, timeMs, limits } = order;
  const provider = providers.find((each) => each.kind === kind);
  if (!provider) throw new ProviderError('crashed', `there is no reader of ${kind}`);
  try {
    // A new context for its time limit alone: it also ends a loop that no message reaches, should the parent be gone.
    const page: ListingPage = await runInNewContext('read()', { read: () => provider.read(answer, source) }, { timeout: timeMs });
    return capPage(page, limits, provider.mostListings ?? limits.listings);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const { code, name, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new ProviderError('too_slow', `reading took longer than ${timeMs} ms`);
    throw new ProviderError('crashed', `the reader of ${kind} failed: ${name}: ${message}`);
  }
}

/** A few milliseconds' worth. */
const BATCH = 200;
const MAX_MESSAGE_CHARS = 500;

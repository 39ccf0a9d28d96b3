/** A reading process whose providers do what no provider should. Started by URL. */

import { eventListing } from '../../../src/providers/listing.ts';
import type { ListingPage, Provider } from '../../../src/providers/provider.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { serveReads } from '../../../src/providers/reading/serve-reads.ts';

const DEEDS: Record<string, (text: string) => ListingPage | Promise<ListingPage>> = {
  echoes: (text) => page(1, { title: text }),
  spins() {
    for (;;);
  },
  /** A loop that a time limit on the call does not end. */
  async spinsLater() {
    await null;
    for (;;);
  },
  /** Nothing ever wakes it. */
  waits: () => new Promise(() => {}),
  hoards() {
    const all: object[] = [];
    for (;;) all.push({ all });
  },
  /** One large allocation: in a thread this ends the whole process. */
  grabs: (text) => page(Array.from({ length: 300_000_000 }, () => text).length, {}),
  ends: () => process.exit(3),
  fails() {
    throw new TypeError('no such thing');
  },
  refuses() {
    throw new ProviderError('not_of_the_kind', 'the document is a poem');
  },
  lists: (text) => page(Number(text), { title: 'One of many' }),
  talks: (text) => ({
    listings: [
      { ok: true, index: 1, bytes: 1, listing: { target: 'events', event: eventListing({ title: 'x'.repeat(Number(text)) }) } },
      {
        ok: true,
        index: 2,
        bytes: 1,
        listing: {
          target: 'events',
          event: eventListing({
            title: 'A concert',
            image: `data:${'x'.repeat(Number(text))}`,
            tags: ['jazz', 'x'.repeat(Number(text))],
            venue: { name: 'The Dock', address: 'x'.repeat(Number(text)) },
          }),
        },
      },
    ],
    next: [],
  }),
  async looksAround() {
    const { connect } = await import('node:net');
    const { readFileSync } = await import('node:fs');
    const { spawnSync } = await import('node:child_process');
    const tries = [() => connect(80, '127.0.0.1'), () => readFileSync('/etc/hosts'), () => spawnSync('ls')];
    const codes = await Promise.all(tries.map((attempt) => codeOf(attempt)));
    return page(1, { title: codes.join(' '), tags: Object.keys(process.env) });
  },
};

async function codeOf(attempt: () => unknown): Promise<string> {
  try {
    const made = attempt();
    if (made instanceof Object && 'once' in made) {
      const [error] = await new Promise<Error[]>((resolve) =>
        (made as NodeJS.EventEmitter).once('error', (...all) => resolve(all)),
      );
      throw error;
    }
    return 'allowed';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

function page(count: number, said: Parameters<typeof eventListing>[0]): ListingPage {
  const listing = { target: 'events' as const, event: eventListing(said) };
  return { listings: Array.from({ length: count }, (_, at) => ({ ok: true, index: at + 1, bytes: 1, listing })), next: [] };
}

serveReads(
  Object.entries(DEEDS).map(
    ([kind, deed]): Provider => ({
      kind,
      mapping: 'over',
      keySetting: null,
      request: () => ({ url: 'file:///dev/null', accept: '*/*' }),
      read: ({ body }) => deed(Buffer.from(body).toString()),
      ...(kind === 'lists' ? { mostListings: 20_000 } : {}),
    }),
  ),
);

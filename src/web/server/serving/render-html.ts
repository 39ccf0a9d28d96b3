/** React into the bytes of a page. Pages without a script are rendered once and kept. */

import { hash } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server.node';
import type { EntryContext } from 'react-router';
import { createSemaphore } from '../../../values/waiting/semaphore.ts';

interface RenderOptions {
  /** Of the scripts that React writes itself. */
  nonce: string;
  /** What could not be rendered while the rest could. */
  onError: (error: unknown) => void;
  signal: AbortSignal;
}

/**
 * A crowd's pages are made one after the other, and answers of the database are read in between. All at once they would hold up every
 * answer for as long as all of them take, and a form that asks the database ten times would wait ten times as long.
 */
const inTurn = createSemaphore({ atOnce: 2, waiting: Number.POSITIVE_INFINITY });

/** The whole page. Rejects when not even its frame can be rendered. */
export const renderHtml = (page: ReactNode, options: RenderOptions): Promise<Buffer<ArrayBuffer>> =>
  inTurn(async () => {
    await nextTurn();
    return render(page, options);
  });

/** By React's stream for Node, not its web stream, which makes an array of bytes of every attribute. */
function render(page: ReactNode, { nonce, onError, signal }: RenderOptions): Promise<Buffer<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer<ArrayBuffer>>();
  const { pipe, abort } = renderToPipeableStream(page, {
    nonce,
    onError,
    onShellError: reject,
    onAllReady: () => resolve(Array.fromAsync(pipe(new PassThrough()), (chunk: Buffer) => chunk).then(Buffer.concat)),
  });
  const giveUp = () => abort(signal.reason);
  if (signal.aborted) giveUp();
  else signal.addEventListener('abort', giveUp, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', giveUp));
}

interface StaticPages {
  /** The name of what this page shows; null for a page with scripts, or one that is no plain success. */
  nameOf(request: Request, page: EntryContext): string | null;
  get(name: string): Buffer<ArrayBuffer> | undefined;
  keep(name: string, html: Buffer<ArrayBuffer>): void;
}

export function createStaticPages(): StaticPages {
  const kept = new Map<string, Buffer<ArrayBuffer>>();
  return {
    nameOf(request, { routeModules, staticHandlerContext }) {
      const { matches, loaderData, errors, statusCode } = staticHandlerContext;
      const handles = matches.map(({ route }) => routeModules[route.id]?.handle as Handle | undefined);
      const isStatic = handles.some((handle) => handle?.isStatic === true);
      const isFresh = handles.some((handle) => handle?.isFresh === true);
      if (!isStatic || isFresh || errors || statusCode !== 200) return null;
      // Whatever a page shows it has from its address and its loaders, who reads it included.
      return hash('sha256', `${request.url}\n${JSON.stringify(loaderData)}`, 'base64url');
    },
    get: (name) => kept.get(name),
    keep(name, html) {
      kept.delete(name);
      kept.set(name, html);
      if (kept.size <= MAX_KEPT) return;
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    },
  };
}

interface Handle {
  isStatic?: boolean;
  /** It has no script, but shows something new each time: it is not kept. */
  isFresh?: boolean;
}

/** Some megabytes at most: the largest page is the reference. */
const MAX_KEPT = 50;

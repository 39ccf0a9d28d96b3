/** React into the bytes of a page. */

import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server.node';
import { createSemaphore } from '../../../values/waiting/semaphore.ts';

export interface RenderOptions {
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

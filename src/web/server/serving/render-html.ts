/** React into the bytes of a page. */

import { PassThrough } from 'node:stream';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server.node';

export interface RenderOptions {
  /** Of the scripts that React writes itself. */
  nonce: string;
  /** What could not be rendered while the rest could. */
  onError: (error: unknown) => void;
  signal: AbortSignal;
}

/**
 * The whole page. Rejects when not even its frame can be rendered. React's stream for Node, not its web stream, which makes an array of
 * bytes of every attribute.
 */
export function renderHtml(page: ReactNode, { nonce, onError, signal }: RenderOptions): Promise<Buffer<ArrayBuffer>> {
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

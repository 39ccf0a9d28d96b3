/** An answer as server-sent events (WHATWG HTML §9.2): messages before the result, and comments while nothing happens. */

import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../protocol/message.ts';

export interface EventStream {
  /** `headers`: flat list. */
  open(headers: readonly string[]): void;
  send(message: JsonObject): void;
  /** Resolves when the caller has taken what was sent, or has left. Who takes nothing for long has left. */
  drained(): Promise<void>;
  /** `text`: the result as JSON. */
  end(text: string): void;
}

export function createEventStream(res: ServerResponse): EventStream {
  let keepAlive: NodeJS.Timeout | undefined;
  const write = (text: string) => {
    if (!res.destroyed) res.write(text);
  };
  const beAlive = () => {
    if (!res.writableNeedDrain) write(': alive\n\n');
  };
  return {
    open(headers) {
      res.writeHead(200, [...headers, 'Content-Type', 'text/event-stream', 'X-Accel-Buffering', 'no']);
      res.flushHeaders();
      keepAlive = setInterval(beAlive, KEEP_ALIVE_MS).unref();
      res.once('close', () => clearInterval(keepAlive));
    },
    send: (message) => write(formatEvent(JSON.stringify(message))),
    async drained() {
      if (res.destroyed || !res.writableNeedDrain) return;
      const late = setTimeout(() => res.destroy(), MAX_UNREAD_MS);
      const { promise, resolve } = Promise.withResolvers<void>();
      res.once('drain', resolve).once('close', resolve);
      await promise;
      res.off('drain', resolve).off('close', resolve);
      clearTimeout(late);
    },
    end(text) {
      clearInterval(keepAlive);
      if (!res.destroyed) res.end(formatEvent(text));
    },
  };
}

const formatEvent = (json: string): string => `event: message\ndata: ${json}\n\n`;
/** Proxies cut connections that are silent for a minute. */
const KEEP_ALIVE_MS = 15_000;
const MAX_UNREAD_MS = 60_000;

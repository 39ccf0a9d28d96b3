/** An answer as server-sent events (WHATWG HTML §9.2): messages before the result, and comments while nothing happens. */

import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../protocol/message.ts';

export interface EventStream {
  /** `headers`: flat list. */
  open(headers: readonly string[]): void;
  send(message: JsonObject): void;
  /** `text`: the result as JSON. */
  end(text: string): void;
}

export function createEventStream(res: ServerResponse): EventStream {
  let keepAlive: NodeJS.Timeout | undefined;
  const write = (text: string) => {
    if (!res.destroyed) res.write(text);
  };
  return {
    open(headers) {
      res.writeHead(200, [...headers, 'Content-Type', 'text/event-stream', 'X-Accel-Buffering', 'no']);
      res.flushHeaders();
      keepAlive = setInterval(() => write(': alive\n\n'), KEEP_ALIVE_MS).unref();
      res.once('close', () => clearInterval(keepAlive));
    },
    send: (message) => write(formatEvent(JSON.stringify(message))),
    end(text) {
      clearInterval(keepAlive);
      if (!res.destroyed) res.end(formatEvent(text));
    },
  };
}

const formatEvent = (json: string): string => `event: message\ndata: ${json}\n\n`;
/** Proxies cut connections that are silent for a minute. */
const KEEP_ALIVE_MS = 15_000;

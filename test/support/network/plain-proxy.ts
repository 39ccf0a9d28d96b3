/** nginx with the one line `proxy_pass http://127.0.0.1:PORT`: it connects from this machine, and writes the `Host` anew. */

import { once } from 'node:events';
import { createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `headers`: written by the proxy on top. */
export async function openPlainProxy(
  target: string,
  headers: Record<string, string> = {},
): Promise<{ url: string; close(): void }> {
  const { host } = new URL(target);
  const pass: RequestListener = (req, res) => {
    const passed = { ...req.headers, host, ...headers };
    const onward = request(target + req.url, { method: req.method ?? 'GET', headers: passed, agent: false }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.once('error', () => res.destroy());
    req.pipe(onward);
  };
  const server = createServer(pass);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close().closeAllConnections(),
  };
}

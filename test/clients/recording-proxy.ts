/** Stands between a client and the service: remembers what passed, and answers in its place when told to. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Passed {
  path: string;
  ifNoneMatch: string | null;
  status: number;
}

interface PlannedAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface RecordingProxy {
  url: string;
  passed: Passed[];
  /** Answers of the next requests; `cut` ends the connection. */
  plan: (PlannedAnswer | 'cut')[];
  close(): Promise<void>;
}

export async function openRecordingProxy(target: string): Promise<RecordingProxy> {
  const passed: Passed[] = [];
  const plan: RecordingProxy['plan'] = [];
  const server = createServer(async (req, res) => {
    const path = req.url ?? '';
    const ifNoneMatch = req.headers['if-none-match'] ?? null;
    const planned = plan.shift();
    if (planned === 'cut') {
      passed.push({ path, ifNoneMatch, status: 0 });
      return void req.socket.destroy();
    }
    if (planned) {
      passed.push({ path, ifNoneMatch, status: planned.status });
      return void res.writeHead(planned.status, planned.headers ?? {}).end(planned.body ?? '');
    }
    const headers: Record<string, string> = {};
    for (const name of ['x-api-key', 'if-none-match', 'x-marquee-simulate']) {
      const value = req.headers[name];
      if (typeof value === 'string') headers[name] = value;
    }
    const answer = await fetch(target + path, { headers });
    passed.push({ path, ifNoneMatch, status: answer.status });
    const kept = ['content-type', 'etag', 'retry-after', 'x-request-id'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    res.writeHead(answer.status, Object.fromEntries(kept));
    res.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    plan,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The same server over the standard streams of a process: for assistants that start their tools themselves. */

import type { StdioServerTransport as Transport } from '@modelcontextprotocol/server/stdio';
import { createDispatcher, type McpTable } from './protocol/dispatcher.ts';
import { formatError } from './protocol/errors.ts';
import { type MessageId, readMessage } from './protocol/message.ts';

type Sent = Parameters<Transport['send']>[0];

/** Resolves when the other side closes the stream. `onFailure`: of what no method foresaw. */
export async function serveStdio(table: McpTable, onFailure: (error: unknown, method: string) => void): Promise<void> {
  // Loaded only here: the service never needs it.
  const { StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const dispatcher = createDispatcher(table, onFailure);
  const transport = new StdioServerTransport();
  const ended = Promise.withResolvers<void>();
  const left = new AbortController();
  const running = new Map<MessageId, AbortController>();
  let sent: Promise<void> = Promise.resolve();
  const write = (text: string): void => {
    sent = transport.send(JSON.parse(text) as Sent).catch(() => left.abort());
  };

  transport.onclose = () => {
    left.abort();
    ended.resolve();
  };
  transport.onerror = (error) => {
    // What is no JSON-RPC message: the transport says so, and goes on with the next line.
    if (!left.signal.aborted) write(formatError(null, 'parse_error', error.message.slice(0, MAX_SHOWN)));
  };
  transport.onmessage = (received) => {
    const message = readMessage(received);
    // Over HTTP the caller closes the connection instead.
    if (message.kind === 'notification' && message.method === 'notifications/cancelled') {
      running.get(message.params.requestId as MessageId)?.abort();
    }
    const found = dispatcher.find(message, null);
    if (!('method' in found)) {
      if (found.kind === 'answer') write(found.text);
      return;
    }
    const { id } = found.request;
    const cancelled = new AbortController();
    running.set(id, cancelled);
    const outcome = dispatcher.run(found, {
      caller: { kind: 'local', tier: null, accountId: null, address: '' },
      watch: () => AbortSignal.any([left.signal, cancelled.signal]),
      send: (message) => write(JSON.stringify(message)),
      drained: () => sent,
    });
    void Promise.resolve(outcome).then((done) => {
      if (running.get(id) === cancelled) running.delete(id);
      // Nobody waits for what was cancelled.
      if (done.kind === 'answer' && !cancelled.signal.aborted) write(done.text);
    });
  };
  process.stdin.once('end', () => void transport.close());
  await transport.start();
  await ended.promise;
}

const MAX_SHOWN = 200;

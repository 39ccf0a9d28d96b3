/** A mail server on loopback that keeps what it is sent and refuses on demand (RFC 5321, as far as a client needs it). */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface FakeSmtp {
  url: string;
  /** Greetings of the next connections instead of `220 fake ESMTP`. */
  greetings: string[];
  /** Answers to the next `AUTH` commands instead of `235 ok`. */
  signInRefusals: string[];
  /** Whole messages as they came, with their recipients. */
  messages: { to: string[]; data: string }[];
  /** Answers to the next `RCPT TO` commands instead of `250 ok`. */
  refusals: string[];
  /** Answers to the next `MAIL FROM` commands instead of `250 ok`. */
  senderRefusals: string[];
  connections(): number;
  close(): Promise<void>;
}

export async function openFakeSmtp(): Promise<FakeSmtp> {
  const messages: FakeSmtp['messages'] = [];
  const refusals: string[] = [];
  const senderRefusals: string[] = [];
  const greetings: string[] = [];
  const signInRefusals: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.setEncoding('utf8');
    socket.write(`${greetings.shift() ?? '220 fake ESMTP'}\r\n`);
    let waiting = '';
    let to: string[] = [];
    let inData = false;
    const answer = (line: string): string => {
      if (/^(EHLO|HELO)/i.test(line)) return '250-fake\r\n250 AUTH PLAIN';
      if (/^AUTH /i.test(line)) return signInRefusals.shift() ?? '235 ok';
      if (/^MAIL FROM:/i.test(line)) return senderRefusals.shift() ?? '250 ok';
      if (/^RCPT TO:/i.test(line)) {
        const refusal = refusals.shift();
        if (!refusal) to.push(/<(.*)>/.exec(line)?.[1] ?? '');
        return refusal ?? '250 ok';
      }
      if (/^DATA/i.test(line)) {
        inData = true;
        return '354 go on';
      }
      if (/^QUIT/i.test(line)) return '221 bye';
      return '250 ok';
    };
    socket.on('data', (chunk: string) => {
      waiting += chunk;
      for (;;) {
        const end = waiting.indexOf(inData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const part = waiting.slice(0, end);
        waiting = waiting.slice(end + (inData ? 5 : 2));
        if (inData) {
          messages.push({ to, data: part });
          to = [];
          inData = false;
          socket.write('250 taken\r\n');
        } else socket.write(`${answer(part)}\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    refusals,
    senderRefusals,
    greetings,
    signInRefusals,
    connections: () => connections,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

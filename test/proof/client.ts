/** Questions to a running service as plain bytes, and answers as one text each. */

import { request } from 'node:http';
import { connect } from 'node:net';

export interface Question {
  /** GET unless told. */
  method?: string;
  /** Path and query, sent as they stand. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface Answer {
  status: number;
  /** Names in lower case, as they came. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer;
}

export interface Ask {
  (question: Question): Promise<Answer>;
  /** Bytes on a connection of their own; all that comes back until it ends. */
  raw(bytes: string): Promise<string>;
}

/** Each question comes from a network of its own, unless it says otherwise: no limit of networks is reached by the way. */
export function createAsk(port: number, host: string): Ask {
  let networks = 0;
  const ask = ({ method = 'GET', path, headers = {}, body }: Question): Promise<Answer> => {
    networks += 1;
    const from = `203.${Math.floor(networks / 250)}.${networks % 250}.7`;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      { host: '127.0.0.1', port, method, path, agent: false, headers: { host, 'x-forwarded-for': from, ...length, ...headers } },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const { rawHeaders } = response;
        const pairs = rawHeaders.flatMap((name, at): [string, string][] =>
          at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? '']] : [],
        );
        resolve({ status: response.statusCode ?? 0, headers: pairs, body: Buffer.concat(chunks) });
      },
    );
    sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error(`no answer to ${method} ${path} in ${ANSWER_MS} ms`)));
    sent.on('error', reject);
    sent.end(body);
    return promise;
  };
  const raw = async (bytes: string): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(bytes);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };
  return Object.assign(ask, { raw });
}

export const headerOf = ({ headers }: Answer, name: string): string => headers.find(([each]) => each === name)?.[1] ?? '';

/** Longer than the longest poll of the change log. */
const ANSWER_MS = 60_000;

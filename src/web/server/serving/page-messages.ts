/** What the serving thread and the pages tell each other: plain values that can be sent from one thread to another. */

import type { ReadableStream } from 'node:stream/web';
import type { MessagePort } from 'node:worker_threads';
import type { Endpoint } from 'comlink';
import type { Attempts, Gate } from '../../../accounts/index.ts';
import type { AnswerTimes } from '../../../api/index.ts';
import type { Problem } from '../../../http/index.ts';
import type { StatusReport } from '../../../status/index.ts';
import type { AskApi } from '../rooms.ts';

/** A request of a browser, as the server has checked it. */
export interface BrowserRequest {
  requestId: string;
  method: string;
  /** Path and query as sent. */
  target: string;
  /** By lower-case name, in the order they came. */
  headers: Readonly<Record<string, readonly string[]>>;
  /** Of a POST. */
  body: Uint8Array | null;
  /** The caller's, behind believed proxies only. */
  address: string;
}

export interface PageResponse {
  status: number;
  headers: [name: string, value: string][];
  /** A stream goes on until its reader leaves or the service ends. */
  body: Uint8Array | ReadableStream<Uint8Array> | null;
}

export interface Pages {
  /** A problem is refused by the server. Null: there is no page, and the request is not from a browser. Rejects for a surprise only. */
  answer(request: BrowserRequest): Promise<PageResponse | Problem | null>;
  /** Ends the streams: the service drains. */
  end(): void;
}

/** What only the serving thread has: the counters, the API's request handler, its metrics and the jobs. */
export interface PagesHost {
  gate: Pick<Gate, 'allowancesOf' | 'watch' | 'flush'>;
  /** How long the API's answers took since the service started. */
  answerTimes(): AnswerTimes | Promise<AnswerTimes>;
  /** How the service is doing, from memory. */
  status(): Promise<StatusReport>;
  /** Whose data the directory shows, from memory. */
  credits(): Promise<string[]>;
  /** Asks our own API in a reader's name: through its request handler, with their key, counted like any request of theirs. */
  askApi: AskApi;
  /** Counts what people try when they sign in. */
  attempts: Attempts;
  /** Somebody asked for a run: a worker of this process looks at once, those of others when their time comes. */
  wake(): void;
}

/** Comlink's word for what Node's ports are, too. */
export const endpoint = (port: MessagePort): Endpoint => port as unknown as Endpoint;

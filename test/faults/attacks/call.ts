/** Calls over HTTP that a proxy passes on for callers anywhere. */

import { type Agent, type IncomingMessage, request } from 'node:http';

/** What is sent, but for who asks. */
export interface PreparedCall {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface CallFrom {
  port: number;
  agent: Agent;
  /** The caller's address, as the proxy writes it. */
  address: string;
  key?: string;
}

/** The answer with its body still to be read; null where there was none. */
function openCall(call: PreparedCall, { port, agent, address, key }: CallFrom): Promise<IncomingMessage | null> {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage | null>();
  const headers = { ...call.headers, 'x-forwarded-for': address, ...(key !== undefined && { 'x-api-key': key }) };
  request({ host: '127.0.0.1', port, agent, localAddress: PROXY, path: call.path, method: call.method, headers }, resolve)
    .once('error', () => resolve(null))
    .end(call.body);
  return promise;
}

/** The status of a whole answer; 0 where there was none. */
export async function statusOf(call: PreparedCall, from: CallFrom): Promise<number> {
  const answer = await openCall(call, from);
  if (!answer) return 0;
  const { promise, resolve } = Promise.withResolvers<number>();
  answer.resume();
  answer.once('close', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0));
  return promise;
}

export interface HeldStream {
  isOpen(): boolean;
  /** All that came so far. */
  text(): string;
}

/** A stream that stays open; null where it was refused. */
export async function holdStream(call: PreparedCall, from: CallFrom): Promise<HeldStream | null> {
  const answer = await openCall(call, from);
  if (!answer) return null;
  let text = '';
  let isOpen = true;
  answer.setEncoding('utf8');
  answer.on('data', (chunk: string) => {
    text += chunk;
  });
  answer.on('error', () => {});
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  answer.once('data', () => resolve());
  answer.once('close', () => {
    isOpen = false;
    resolve();
  });
  await begun;
  const isStream = answer.statusCode === 200 && text.includes('notifications/events/active');
  return isStream ? { isOpen: () => isOpen, text: () => text } : null;
}

/** The loopback address that the proxy connects from. */
export const PROXY = '127.0.0.2';

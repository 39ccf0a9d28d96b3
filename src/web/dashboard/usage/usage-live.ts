/** What is left to a reader's keys, told as it changes (server-sent events, WHATWG HTML §9.2). */

import type { LoaderFunctionArgs } from 'react-router';
import { forecastDay } from '../../../accounts/index.ts';
import type { LeftNow } from '../../model/keys.ts';
import { leftOf, readOwned } from '../../server/keys.ts';

export async function loader(page: LoaderFunctionArgs): Promise<Response> {
  const { owner, usage, rooms } = await readOwned(page);
  const { gate, clocks, ending, streams: live } = rooms;
  const open = streams.get(owner.accountId) ?? 0;
  if (open >= MAX_STREAMS) return new Response('too many open streams\n', { status: 429 });
  streams.set(owner.accountId, open + 1);
  const subscriptions = await usage.now(owner.accountId).then(
    (now) => [...now].slice(0, MAX_SUBSCRIPTIONS),
    (error: unknown) => {
      leave(owner.accountId);
      throw error;
    },
  );

  const pending: Record<string, LeftNow> = {};
  let end = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // A reader who takes nothing gets the last word of each, not all that was said meanwhile.
      const send = () => {
        if ((controller.desiredSize ?? 0) <= 0 || Object.keys(pending).length === 0) return;
        controller.enqueue(encode(`data: ${JSON.stringify(pending)}\n\n`));
        for (const id of Object.keys(pending)) delete pending[id];
      };
      let sending: NodeJS.Timeout | undefined;
      const watches = subscriptions.map(([id, began]) => {
        // The pace goes on from what it was: what is counted since was asked within the hour.
        const usedBefore = began.allowance.day.used;
        return gate.watch(id, (allowance) => {
          const lastHour = began.lastHour + Math.max(0, allowance.day.used - usedBefore);
          pending[id] = leftOf({ allowance, endsAt: forecastDay(allowance, lastHour, clocks.limits()) });
          sending ??= setTimeout(() => {
            sending = undefined;
            send();
          }, TOGETHER_MS);
        });
      });
      const beating = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encode(':\n\n'));
        send();
      }, BEAT_MS);
      // The browser comes back at once, and is asked again who it is.
      const lasting = setTimeout(() => end(), MAX_MS);
      const forget = live.add(owner.sessionId, () => end());
      end = () => {
        end = () => {};
        forget();
        for (const unwatch of watches) unwatch();
        clearInterval(beating);
        clearTimeout(lasting);
        clearTimeout(sending);
        leave(owner.accountId);
        try {
          controller.close();
        } catch {
          // The reader has closed it.
        }
      };
      controller.enqueue(encode(`retry: ${RETRY_MS}\n\n`));
      for (const signal of [page.request.signal, ending]) signal.addEventListener('abort', () => end(), { once: true });
      if (page.request.signal.aborted || ending.aborted) end();
    },
    cancel: () => end(),
  });
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  });
}

/** Open streams by account. */
const streams = new Map<string, number>();
function leave(accountId: string): void {
  const open = (streams.get(accountId) ?? 1) - 1;
  if (open > 0) streams.set(accountId, open);
  else streams.delete(accountId);
}

const encoder = new TextEncoder();
const encode = (text: string): Uint8Array => encoder.encode(text);

const MAX_STREAMS = 20;
/** Of one account; the others are seen when the page is loaded. */
const MAX_SUBSCRIPTIONS = 100;
/** What changes at one moment is told at once. */
const TOGETHER_MS = 30;
/** Below the server's patience with connections on which nothing moves. */
const BEAT_MS = 15_000;
const MAX_MS = 600_000;
const RETRY_MS = 1_000;

import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { useRoot } from '../design/use-root.ts';
import type { LeftNow } from '../model/keys.ts';

/** What is left, as it was when the page was made and then as the service tells; `off` where scripts do not run. */
export function useLive(initial: LeftBySubscription): { left: Readonly<Record<string, LeftNow>>; state: LiveState } {
  const [changes, setChanges] = useState<LeftBySubscription>({});
  const [state, setState] = useState<LiveState>('off');
  const reader = useRoot()?.viewer?.email ?? '';
  useEffect(
    () =>
      listenTogether(reader, {
        onLeft: (news) => setChanges((before) => ({ ...before, ...news })),
        onState: setState,
      }),
    [reader],
  );
  return { left: { ...initial, ...changes }, state };
}

export type LiveState = 'off' | 'live' | 'waiting';

type LeftBySubscription = Readonly<Record<string, LeftNow>>;

interface Listener {
  onLeft(told: LeftBySubscription): void;
  onState(state: LiveState): void;
}

type Message = { kind: 'hello' } | { kind: 'told'; told: LeftBySubscription } | { kind: 'state'; state: LiveState };

/**
 * One event stream for all windows of a browser: over HTTP/1.1 a browser opens six connections to a host, and six windows with a stream
 * each would leave none for the seventh. Of the windows that are seen one has the stream (a lock of the browser decides which) and tells
 * the others. Where a browser has no such locks, each window that is seen has its own. Listens while the window is seen. `reader` names
 * whose figures they are. Gives what ends it.
 */
function listenTogether(reader: string, listener: Listener): () => void {
  const name = `marquee live ${reader}`;
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : null;
  const canShare = channel !== null && 'locks' in navigator;
  let leaving: AbortController | null = null;

  /** Has the stream until the window is hidden or closed. */
  function lead(signal: AbortSignal): Promise<void> {
    const over = Promise.withResolvers<void>();
    const known: Record<string, LeftNow> = {};
    let state: LiveState = 'waiting';
    const tell = (message: Message) => channel?.postMessage(message);
    const setState = (next: LiveState) => {
      state = next;
      listener.onState(next);
      tell({ kind: 'state', state: next });
    };
    const source = new EventSource('/dashboard/usage/live');
    source.onopen = () => setState('live');
    // The browser opens it again by itself, unless the answer was no stream: then the session is over.
    source.onerror = () => setState(source.readyState === EventSource.CLOSED ? 'off' : 'waiting');
    source.onmessage = ({ data }) => {
      const told = JSON.parse(data) as LeftBySubscription;
      Object.assign(known, told);
      listener.onLeft(told);
      tell({ kind: 'told', told });
    };
    const answerHello = ({ data }: MessageEvent<Message>) => {
      if (data.kind !== 'hello') return;
      tell({ kind: 'told', told: known });
      tell({ kind: 'state', state });
    };
    channel?.addEventListener('message', answerHello);
    signal.addEventListener('abort', () => {
      source.close();
      channel?.removeEventListener('message', answerHello);
      over.resolve();
    });
    return over.promise;
  }

  function begin(): void {
    if (leaving) return;
    leaving = new AbortController();
    const { signal } = leaving;
    if (!canShare) return void lead(signal);
    channel.postMessage({ kind: 'hello' } satisfies Message);
    navigator.locks.request(name, { signal }, () => (signal.aborted ? undefined : lead(signal))).catch(() => undefined);
  }

  function end(): void {
    leaving?.abort();
    leaving = null;
  }

  const onMessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'told') listener.onLeft(data.told);
    if (data.kind === 'state') listener.onState(data.state);
  };
  const look = () => (document.visibilityState === 'hidden' ? end() : begin());
  channel?.addEventListener('message', onMessage);
  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    end();
    channel?.close();
  };
}

/** Loads the page's other figures again when what is left has moved: seldom enough to cost nothing, soon enough to be watched. */
export function useFreshUsage(left: Readonly<Record<string, LeftNow>>): void {
  const { revalidate } = useRevalidator();
  const used = Object.values(left).reduce((sum, { day }) => sum + day.used, 0);
  const shown = useRef(used);
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (used === shown.current) return;
    const wait = Math.max(SOON_MS, askedAt.current + EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      askedAt.current = performance.now();
      shown.current = used;
      void revalidate();
    }, wait);
    return () => clearTimeout(timer);
  }, [used, revalidate]);
}

const SOON_MS = 300;
const EVERY_MS = 3_000;

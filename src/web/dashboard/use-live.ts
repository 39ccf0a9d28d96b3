import { useEffect, useState } from 'react';
import type { LeftNow } from '../server/own-keys.ts';

export type LiveState = 'off' | 'live' | 'waiting';

/** What is left, as it was when the page was made and then as the service tells; `off` where scripts do not run. */
export function useLive(initial: Readonly<Record<string, LeftNow>>): {
  left: Readonly<Record<string, LeftNow>>;
  state: LiveState;
} {
  const [told, setTold] = useState<Readonly<Record<string, LeftNow>>>({});
  const [state, setState] = useState<LiveState>('off');
  useEffect(() => {
    const source = new EventSource('/dashboard/usage/live');
    source.onopen = () => setState('live');
    // The browser opens it again by itself, unless the answer was no stream: then the session is over.
    source.onerror = () => setState(source.readyState === EventSource.CLOSED ? 'off' : 'waiting');
    source.onmessage = ({ data }) => setTold((before) => ({ ...before, ...JSON.parse(data) }));
    return () => source.close();
  }, []);
  return { left: { ...initial, ...told }, state };
}

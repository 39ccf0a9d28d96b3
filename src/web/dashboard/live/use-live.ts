import { useEffect, useState } from 'react';
import { useRoot } from '../../design/use-root.ts';
import type { LeftNow } from '../../model/keys.ts';
import { type LeftBySubscription, type LiveState, listenTogether } from './shared-stream.ts';

export type { LiveState } from './shared-stream.ts';

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

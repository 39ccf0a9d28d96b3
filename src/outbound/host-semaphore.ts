/** So many at once for each host; the others wait in the order in which they came. */

export interface HostSemaphore {
  /** Resolves with the function that ends the turn. Rejects with the signal's reason when that comes first. */
  take(host: string, signal: AbortSignal): Promise<() => void>;
}

export function createHostSemaphore(most: number): HostSemaphore {
  const hosts = new Map<string, { active: number; waiting: Set<() => void> }>();

  function end(host: string): void {
    const queue = hosts.get(host);
    if (!queue) return;
    const [next] = queue.waiting;
    if (next) queue.waiting.delete(next);
    else if (--queue.active === 0) hosts.delete(host);
    next?.();
  }

  return {
    async take(host, signal) {
      signal.throwIfAborted();
      const queue = hosts.get(host) ?? { active: 0, waiting: new Set() };
      hosts.set(host, queue);
      if (queue.active < most) queue.active++;
      else await turnOf(queue.waiting, signal);
      let isOver = false;
      return () => {
        if (!isOver) end(host);
        isOver = true;
      };
    },
  };
}

function turnOf(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      waiting.delete(begin);
      reject(signal.reason);
    };
    waiting.add(begin);
    signal.addEventListener('abort', leave, { once: true });
  });
}

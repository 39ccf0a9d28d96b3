/** Much at once, one after another: who asks the API on the same thread never waits for more than one piece of it. */

/** Resolves when it is this one's turn: one in each turn of the event loop, so that what has arrived meanwhile is seen to between. */
export type TakeTurn = () => Promise<void>;

export function createWorkTurns(): TakeTurn {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const pass = (): void => {
    const next = waiting.shift();
    if (!next) {
      isTaken = false;
      return;
    }
    setImmediate(pass);
    next();
  };
  return async () => {
    if (isTaken) return new Promise((resolve) => waiting.push(resolve));
    isTaken = true;
    setImmediate(pass);
  };
}

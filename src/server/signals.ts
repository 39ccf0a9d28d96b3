/** Signals that end a service. */

/** `told` resolves at the first signal to end; a second one ends at once. `forget` leaves signals to what they do by themselves. */
export function heedSignals(): { told: Promise<NodeJS.Signals>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let isTold = false;
  const heed = (signal: NodeJS.Signals) => {
    if (isTold) process.exit(1);
    isTold = true;
    resolve(signal);
  };
  for (const signal of ENDING) process.on(signal, heed);
  return {
    told: promise,
    forget() {
      for (const signal of ENDING) process.off(signal, heed);
    },
  };
}

const ENDING = ['SIGTERM', 'SIGINT'] as const;

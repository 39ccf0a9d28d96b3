/** How long tests wait for what is to come: long, because no test is there to find out how fast a machine is. */

export const PATIENCE_MS = 180_000;
/** After this a test hangs. Many things that are waited for come one after the other. */
export const TEST_LIMIT_MS = 600_000;

/** Asks until it throws nothing, and gives its answer. */
export async function until<T>(check: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

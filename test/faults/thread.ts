/** Loads run in threads of their own, so that the experiment delays no request, and one load does not delay another. */

import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface Load<Report> {
  /** Ends the load and gives what it saw. */
  stop(): Promise<Report>;
}

/** Starts the load of a module that calls `serveLoad`; resolves when it runs. */
export async function startLoad<Report>(module: string, data: object): Promise<Load<Report>> {
  const thread = new Worker(new URL(module), { workerData: { load: module, ...data } });
  // An error of the thread rejects here, or while its report is awaited.
  await once(thread, 'message');
  return {
    async stop() {
      thread.postMessage('stop');
      const [report] = (await once(thread, 'message')) as [Report];
      await thread.terminate();
      return report;
    },
  };
}

/** In the module of a load: `begin` starts it and gives the function that ends it. Does nothing outside a thread of `startLoad`. */
export function serveLoad<Data, Report>(module: string, begin: (data: Data) => Promise<() => Report | Promise<Report>>): void {
  if (isMainThread || workerData?.load !== module) return;
  // When the module has run to its end.
  setImmediate(async () => {
    const end = await begin(workerData as Data);
    parentPort?.once('message', async () => parentPort?.postMessage(await end()));
    parentPort?.postMessage('begun');
  });
}

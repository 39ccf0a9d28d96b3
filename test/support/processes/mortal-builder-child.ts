/** The builder's thread of the read model, but it dies as soon as it has said that there are changes to read. */

import { parentPort } from 'node:worker_threads';
import type { BuilderReport } from '../../../src/search/snapshot/builder.ts';

const port = parentPort;
if (!port) throw new Error('this is no worker');
const post = port.postMessage.bind(port);
port.postMessage = (report: BuilderReport) => {
  post(report);
  if (report.kind === 'head') {
    setImmediate(() => {
      throw new Error('made to die');
    });
  }
};
await import('../../../src/search/snapshot/builder-worker.ts');

/** The service as a process: starts, waits for a signal, drains, stops. Started by the command line, imported by nothing else. */

import type { Context } from './context.ts';
import { logStrayOutput, printWarnings } from './log.ts';
import { type ServeOptions, startService } from './start/index.ts';
import { onEndingSignal } from './values/waiting/ending-signals.ts';

/**
 * Serves until SIGTERM or SIGINT, then drains and ends with exit code 0; a later second signal ends at once. SIGTERM comes from whoever runs
 * services, and load balancers get time to notice; SIGINT comes from a terminal, where nobody likes to wait. Prints
 * `listening on http://HOST:PORT` when ready. Rejects with an `ExpectedError` when the start is refused.
 */
export async function serve(context: Context, options: ServeOptions): Promise<void> {
  const { promise: told, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const forgetSignals = onEndingSignal(['SIGTERM', 'SIGINT'], resolve);
  printWarnings();
  const output = logStrayOutput(context.log);
  process.on('uncaughtException', (err, origin) => {
    context.log.fatal({ err, origin }, 'unexpected error; the service ends');
    process.exit(1);
  });
  const service = await startService({ ...context, print: output.print }, options).catch((error: unknown) => {
    forgetSignals();
    output.release();
    throw error;
  });
  const signal = await told;
  context.log.info('draining');
  if (signal === 'SIGTERM') await service.announceEnd();
  await service.close();
  context.log.info('stopped');
  process.exit(0);
}

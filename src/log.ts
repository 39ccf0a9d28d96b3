/** Structured logs. Keys, passwords and tokens never enter: what is logged is chosen field by field. */

import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** `level` as pino names them. Standard output stays for people. */
export function createLog(level: string, destination: DestinationStream = openStandardError()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['*.headers["x-api-key"]', 'headers["x-api-key"]', '*.password', '*.secret', '*.token'],
        censor: '[redacted]',
      },
    },
    destination,
  );
}

/** Of a thread beside the serving one, which says little: each line is a write of its own, so that lines of threads do not mix. */
export const createThreadLog = (level: string): Log => createLog(level, pino.destination({ dest: 2, sync: true }));

/** Written in batches: a write for each request would cost more than the line. What waits at the end of the process is written then. */
function openStandardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: false, minLength: BATCH_BYTES });
  setInterval(() => destination.flush(), FLUSH_EVERY_MS).unref();
  return destination;
}

const BATCH_BYTES = 4_096;
const FLUSH_EVERY_MS = 500;

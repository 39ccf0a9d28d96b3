/** Structured logs. Keys, passwords and tokens never enter: what is logged is chosen field by field. */

import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** `level` as pino names them; `destination` defaults to standard error's neighbour, standard output stays for people. */
export function createLog(level: string, destination: DestinationStream = pino.destination({ dest: 2, sync: true })): Log {
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

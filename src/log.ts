/** Structured logs. Keys, passwords and tokens never enter: what is logged is chosen field by field. */

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** `level` as pino names them. Standard output stays for people. */
export function createLog(level: string, destination: DestinationStream = openStandardError()): Log {
  return pino(
    {
      level,
      base: null,
      // A caller or a source may send a megabyte of text that ends up in an error.
      hooks: { streamWrite: (line) => (line.length > MAX_LINE_LENGTH ? shorten(line) : line) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['*.headers["x-api-key"]', 'headers["x-api-key"]', '*.password', '*.secret', '*.token'],
        censor: '[redacted]',
      },
    },
    destination,
  );
}

/** The same record with its long texts cut. */
function shorten(line: string): string {
  const cut = (_name: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > MAX_TEXT_LENGTH
      ? `${value.slice(0, MAX_TEXT_LENGTH).toWellFormed()}… (cut)`
      : value;
  const record = JSON.stringify(JSON.parse(line), cut);
  // Many texts, none of them long.
  if (record.length <= MAX_LINE_LENGTH) return `${record}\n`;
  const { level, time, msg } = JSON.parse(record);
  return `${JSON.stringify({ level, time, msg, cut: record.length })}\n`;
}

/** Of a thread beside the serving one, which says little: each line is a write of its own, so that lines of threads do not mix. */
export const createThreadLog = (level: string): Log => createLog(level, pino.destination({ dest: 2, sync: true }));

/** Written in batches: a write for each request would cost more than the line. What waits at the end of the process is written then. */
function openStandardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: false, minLength: BATCH_BYTES });
  setInterval(() => destination.flush(), FLUSH_EVERY_MS).unref();
  return destination;
}

/**
 * Makes everything that libraries and threads print a line of the log: JSON passes as it is, other text becomes the message of a
 * record. `print` still reaches standard output. `release` undoes it.
 */
export function logStrayOutput(log: Log): { print(line: string): void; release(): void } {
  const releases = [
    divert(process.stdout, (text) => log.info({ output: 'stdout' }, text)),
    divert(process.stderr, (text) => log.warn({ output: 'stderr' }, text)),
  ];
  const print = releases[0]?.write ?? (() => true);
  return {
    print: (line) => void print(`${line}\n`),
    release() {
      for (const { release } of releases) release();
    },
  };
}

/** Node prints a warning of its own past `process.stderr`. For each thread. */
export function printWarnings(): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => void process.stderr.write(`${name}: ${message}\n`));
}

/** What another process says on its standard error, line by line. */
export function printLines(output: Readable): void {
  createInterface({ input: output }).on('line', (line) => void process.stderr.write(`${line}\n`));
}

function divert(stream: NodeJS.WriteStream, take: (text: string) => void) {
  const own = Object.getOwnPropertyDescriptor(stream, 'write');
  const write = stream.write.bind(stream);
  let begun = '';
  const divertedWrite = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const lines = (begun + (typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())).split('\n');
    begun = lines.pop() ?? '';
    const plain = lines.filter((line) => !isRecord(line));
    for (const line of lines) if (isRecord(line)) write(`${line}\n`);
    const text = stripVTControlCharacters(plain.join('\n')).trim();
    if (text !== '') take(text);
    const written = rest.find((each) => typeof each === 'function');
    if (written) process.nextTick(written as () => void);
    return true;
  };
  stream.write = divertedWrite as typeof stream.write;
  return {
    write: (text: string) => write(text),
    release() {
      if (own) Object.defineProperty(stream, 'write', own);
      else delete (stream as { write?: unknown }).write;
      if (begun !== '') write(begun);
    },
  };
}

function isRecord(line: string): boolean {
  if (!line.startsWith('{')) return false;
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}

const BATCH_BYTES = 4_096;
const FLUSH_EVERY_MS = 500;
/** Characters of a line, and of each text in one that is longer. */
const MAX_LINE_LENGTH = 16_384;
const MAX_TEXT_LENGTH = 2_000;

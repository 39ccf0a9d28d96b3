/** The body of an answer into memory, within limits of what comes over the wire and of what it unfolds to. */

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, constants as zlib } from 'node:zlib';
import { Failure, toFailure } from './failure.ts';
import type { Limits } from './limits.ts';

/** `cut`: keep the beginning of one that is too large instead of failing. `parts`: where what comes is kept, also if it fails. */
export async function readBody(
  message: IncomingMessage,
  host: string,
  limits: Limits,
  cut: boolean,
  parts: Uint8Array[] = [],
): Promise<Uint8Array> {
  const coding = codingOf(message);
  if (!KNOWN_CODINGS.includes(coding)) throw unknownCoding(host);
  const mostOnWire = coding === 'identity' ? limits.bodyBytes : limits.codedBytes;
  const declared = Number(message.headers['content-length'] ?? 0);
  if (!cut && declared > mostOnWire) throw tooLarge(host, mostOnWire);
  if (coding === 'identity') return collect(message, host, limits.bodyBytes, cut, parts);

  // Of a body that is cut, what has come unfolds.
  const gunzip = createGunzip(cut ? { finishFlush: zlib.Z_SYNC_FLUSH } : {});
  // A failure reaches the loop of `collect` through the decoder.
  pipeline(() => atMost(message, host, mostOnWire, cut), gunzip).catch(() => {});
  return collect(gunzip, host, limits.bodyBytes, cut, parts, (bytes) => {
    if (bytes > limits.ratioFromBytes && bytes > gunzip.bytesWritten * limits.ratio)
      throw new Failure('too_large', `${host} sent a body that decompresses to more than ${limits.ratio} times its size`);
  });
}

/** What can be read of a body, and why it is not all. `stopped`: rejects when nobody waits any longer. */
export async function readAnyBody(
  message: IncomingMessage,
  host: string,
  limits: Limits,
  stopped: Promise<never>,
): Promise<{ body: Uint8Array; fault: string | null }> {
  const parts: Uint8Array[] = [];
  const isKnown = KNOWN_CODINGS.includes(codingOf(message));
  // Plain text is often called by a coding that is none, such as `utf-8`.
  const reading = isKnown ? readBody(message, host, limits, true, parts) : collect(message, host, limits.bodyBytes, true, parts);
  const fault = await Promise.race([reading, stopped]).then(
    ({ length }) => (isKnown || length === 0 ? null : unknownCoding(host).message),
    (error: unknown) => toFailure(error, host).message,
  );
  return { body: Buffer.concat(parts).subarray(0, limits.bodyBytes), fault };
}

const codingOf = ({ headers }: IncomingMessage): string => headers['content-encoding']?.trim().toLowerCase() || 'identity';

async function* atMost(message: AsyncIterable<Uint8Array>, host: string, most: number, cut: boolean): AsyncGenerator<Uint8Array> {
  let left = most;
  for await (const chunk of message) {
    if (chunk.length > left && !cut) throw tooLarge(host, most);
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (cut && left <= 0) return;
  }
}

/** Listens to events: an iterator makes more garbage for each answer, and most answers are short. */
function collect(
  stream: Readable,
  host: string,
  most: number,
  cut: boolean,
  parts: Uint8Array[],
  check: (bytes: number) => void = () => {},
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const finish = () => resolve(Buffer.concat(parts, Math.min(bytes, most)));
    const fail = (error: Error) => {
      stream.destroy();
      reject(error);
    };
    stream.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length;
      try {
        check(bytes);
      } catch (error) {
        return fail(error as Error);
      }
      if (bytes > most && !cut) return fail(tooLarge(host, most));
      parts.push(chunk);
      if (bytes <= most) return;
      stream.destroy();
      finish();
    });
    stream.on('end', finish);
    stream.on('error', fail);
    // After the end it comes too late to count.
    stream.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  });
}

/** RFC 9110 §8.4: codings are a list, but we ask for gzip alone, and one around another has no honest use. */
const KNOWN_CODINGS: readonly string[] = ['identity', 'gzip', 'x-gzip'];
const unknownCoding = (host: string): Failure => new Failure('encoding', `${host} sent a content coding that was not requested`);
const tooLarge = (host: string, most: number): Failure =>
  new Failure('too_large', `${host} sent more than ${Math.round(most / 1024)} KiB`);

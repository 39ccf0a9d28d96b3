/** Compresses whole bodies. */

import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib';
import type { Encoding } from './negotiation.ts';

/** Smaller bodies fit a packet or two as they are (decisions §2: above 1 KB). */
export const COMPRESS_FROM_BYTES = 1024;

/** Off the serving thread. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const done = (error: Error | null, result: Buffer) => (error ? reject(error) : resolve(result));
  if (encoding === 'br') brotliCompress(body, brotli(body), done);
  else if (encoding === 'zstd') zstdCompress(body, done);
  else gzip(body, { level: GZIP_LEVEL }, done);
  return promise;
}

/** On the spot: for the few bodies that are rare and small. */
export function compressNow(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'br') return brotliCompressSync(body, brotli(body));
  return encoding === 'zstd' ? zstdCompressSync(body) : gzipSync(body, { level: GZIP_LEVEL });
}

const brotli = ({ length }: Buffer) => ({ params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: length } });

/** Quality 4 of 11: the knee of the curve, where more time hardly makes it smaller. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
const GZIP_LEVEL = 6;

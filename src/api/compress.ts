/** Compresses a whole body off the serving thread. */

import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { Encoding } from './negotiation.ts';

/** Smaller bodies fit a packet or two as they are (decisions §2: above 1 KB). */
export const COMPRESS_FROM_BYTES = 1024;

export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const done = (error: Error | null, result: Buffer) => (error ? reject(error) : resolve(result));
  if (encoding === 'br') brotliCompress(body, { params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }, done);
  else if (encoding === 'zstd') zstdCompress(body, done);
  else gzip(body, { level: GZIP_LEVEL }, done);
  return promise;
}

/** Quality 4 of 11: the knee of the curve, where more time hardly makes it smaller. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
const GZIP_LEVEL = 6;

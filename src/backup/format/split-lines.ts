/** The lines of a backup from its bytes, and the digest of all lines before the last. */

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { BackupError } from '../model.ts';

/** The lines of some bytes; the digest comes with those that end with the manifest. */
export interface LineBlock {
  lines: string[];
  sha256: string | null;
}

/** Rejects with a `BackupError` for bytes that are no backup, end too early or are damaged. */
export async function* splitLines(source: Readable): AsyncGenerator<LineBlock> {
  const sha256 = createHash('sha256');
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of decompress(source)) {
    const end = chunk.lastIndexOf(LINE_END) + 1;
    if (end === 0) {
      rest.push(chunk);
      restBytes += chunk.length;
      if (restBytes > MAX_LINE_BYTES) throw new BackupError('damaged', { what: 'a line has no end' });
      continue;
    }
    const block = Buffer.concat([...rest, chunk.subarray(0, end)]);
    rest = [chunk.subarray(end)];
    restBytes = chunk.length - end;
    const last = endOfLines(block);
    sha256.update(last === null ? block : block.subarray(0, last));
    const lines = block.toString('utf8', 0, block.length - 1).split('\n');
    yield { lines, sha256: last === null ? null : sha256.copy().digest('hex') };
  }
  if (restBytes > 0) throw new BackupError('cut');
}

/** Where the line of the manifest begins, if the block has it. */
function endOfLines(block: Buffer): number | null {
  const at = block.lastIndexOf(MANIFEST);
  if (at >= 0) return at + 1;
  return block.indexOf(MANIFEST.slice(1)) === 0 ? 0 : null;
}

async function* decompress(source: Readable): AsyncGenerator<Buffer> {
  const plain = createZstdDecompress();
  let sourceError: Error | undefined;
  source.once('error', (error) => {
    sourceError = error;
    plain.destroy(error);
  });
  let isBegun = false;
  try {
    for await (const chunk of source.pipe(plain)) {
      isBegun = true;
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error === sourceError || error instanceof BackupError) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === UNEXPECTED_END) throw new BackupError('cut', {}, error);
    if (!isBegun && code === NO_ZSTD) throw new BackupError('not_a_backup', {}, error);
    throw new BackupError('damaged', { what: message.toLowerCase() }, error);
  } finally {
    source.destroy();
  }
}

const LINE_END = 0x0a;
const MANIFEST = '\n{"manifest":';
/** A row that holds the longest listing has some hundred kilobytes. */
const MAX_LINE_BYTES = 64 * 2 ** 20;
const UNEXPECTED_END = 'Z_BUF_ERROR';
const NO_ZSTD = 'ZSTD_error_prefix_unknown';

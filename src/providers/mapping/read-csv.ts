/** Records of a CSV file (RFC 4180), streamed. The first line names the columns. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import type { RawRecord } from '../listing.ts';
import { ProviderError } from '../provider-error.ts';
import type { Mapping } from './mapping.ts';

/** A row is an object of the columns' names; one with more or fewer cells than the header is a record that cannot be read. */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>, mapping: Mapping): AsyncGenerator<RawRecord> {
  const parser = parse({
    bom: true,
    delimiter: mapping.delimiter,
    info: true,
    max_record_size: MAX_RECORD_CHARS,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  // A failure reaches the loop below through the parser.
  pipeline(Readable.from(checkedText(chunks)), parser).catch(() => {});
  let header: string[] | null = null;
  let bytesBefore = 0;
  let index = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { bytes: number } }>) {
      const bytes = info.bytes - bytesBefore;
      bytesBefore = info.bytes;
      if (!header) {
        header = record.map((name) => name.trim());
        continue;
      }
      index++;
      if (record.length === header.length) yield { index, bytes, ok: true, value: rowOf(header, record) };
      else
        yield {
          index,
          bytes,
          ok: false,
          reason: `wanted ${header.length} ${header.length === 1 ? 'cell' : 'cells'}, got ${record.length}`,
        };
    }
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    if (!(error instanceof CsvError)) throw error;
    throw new ProviderError(
      'not_of_the_kind',
      `the file is not CSV: ${error.message.replace(/\p{Cc}/gu, ' ').slice(0, MAX_REASON_CHARS)}`,
    );
  }
}

/** The bytes as they are, if they are UTF-8. */
async function* checkedText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const check = (chunk?: Uint8Array): void => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new ProviderError('not_of_the_kind', 'the file is not UTF-8');
    }
  };
  for await (const chunk of chunks) {
    check(chunk);
    yield chunk;
  }
  check();
}

function rowOf(header: readonly string[], cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
}

const MAX_RECORD_CHARS = 1024 * 1024;
const MAX_REASON_CHARS = 200;

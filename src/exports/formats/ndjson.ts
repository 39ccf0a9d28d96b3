/** NDJSON: one record a line. A whole record is the very bytes that the detail endpoint answers. */

import type { Format, RecordBatch } from './format.ts';

export const ndjson: Format = {
  extension: 'ndjson',
  contentType: 'application/x-ndjson; charset=utf-8',
  begin(file) {
    let formatted: { batch: RecordBatch; bytes: Buffer } | null = null;
    const bytesOf = (batch: RecordBatch): Buffer => {
      if (formatted?.batch !== batch) formatted = { batch, bytes: batch.lines ?? formatLines(batch) };
      return formatted.bytes;
    };
    return {
      bytesWith: (batch) => file.bytes() + bytesOf(batch).length,
      write: (batch) => file.append(bytesOf(batch)),
      end: () => {},
    };
  },
};

const formatLines = (batch: RecordBatch): Buffer =>
  Buffer.from(
    batch
      .records()
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  );

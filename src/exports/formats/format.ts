/** What a format of files is: how records become the bytes of one part. */

import type { Cell } from '../../records/index.ts';
import type { PartFile } from '../part-file.ts';

/** A few hundred records of one kind. Its bytes are good until the next batch is made. */
export interface RecordBatch {
  count: number;
  /** The detail records, each followed by a line feed; only where they are asked for as they are. */
  lines: Buffer | null;
  /** How long the detail records are as text. */
  textBytes: number;
  records(): readonly Readonly<Record<string, unknown>>[];
}

export interface PartWriter {
  /** What the file would have if the batch were added and the file closed, at most. */
  bytesWith(batch: RecordBatch): number;
  write(batch: RecordBatch): void;
  /** Writes the end of the file; the file itself stays open. */
  end(): void;
}

export interface Format {
  extension: string;
  contentType: string;
  /** `cells`: of the kind of records that the file holds. */
  begin(file: PartFile, cells: readonly Cell[]): PartWriter;
}

/** Records of one kind into as many files as they need, each of at most `maxPartBytes`. */

import { type Cell, wholeVenueCells } from '../records/index.ts';
import type { SearchedKind } from '../search/index.ts';
import { chosenCells, createRecordReader, parseLines } from './columns.ts';
import type { PartWriter, RecordBatch } from './formats.ts';
import { FORMATS } from './formats.ts';
import type { ExportFile } from './model.ts';
import { createPartFile, type PartFile } from './part-file.ts';
import type { WriteOptions } from './write-export.ts';

interface PartsOptions extends Pick<WriteOptions, 'snapshot' | 'content' | 'now' | 'folder'> {
  kind: SearchedKind;
  items: readonly number[];
  maxPartBytes: number;
  onRows(rows: number): void;
}

/** At least one file, so that an export without rows has a header all the same. */
export function writeParts(options: PartsOptions): ExportFile[] {
  const { content, kind, items, folder, maxPartBytes, onRows } = options;
  const format = FORMATS[content.format];
  const cells: readonly Cell[] = kind === 'event' ? chosenCells(content.columns) : wholeVenueCells();
  const batchOf = createBatches(options);
  const files: ExportFile[] = [];
  let part = begin();

  function begin(): { file: PartFile; writer: PartWriter; rows: number } {
    const file = createPartFile(folder, `${kind}s-${String(files.length + 1).padStart(5, '0')}.${format.extension}`);
    return { file, writer: format.begin(file, cells), rows: 0 };
  }

  function end(): void {
    part.writer.end();
    files.push(part.file.close(part.rows));
  }

  for (let at = 0; at < items.length; at += BATCH_RECORDS) {
    const batch = batchOf(items.slice(at, at + BATCH_RECORDS));
    if (part.rows > 0 && part.writer.bytesWith(batch) > maxPartBytes) {
      end();
      part = begin();
    }
    part.writer.write(batch);
    part.rows += batch.count;
    onRows(batch.count);
  }
  end();
  return files;
}

function createBatches({ snapshot, content, kind, now }: PartsOptions): (items: readonly number[]) => RecordBatch {
  const readEvents = createRecordReader(snapshot, content.columns);
  let room = Buffer.alloc(0);
  // All batches lie in one place: the bytes of a million records would wait to be collected, a hundred megabytes at a time.
  const allocate = (bytes: number): Buffer => {
    if (bytes > room.length) room = Buffer.allocUnsafeSlow(bytes * 2);
    return room.subarray(0, bytes);
  };
  return (items) => {
    const lines = snapshot.writeLines(kind, items, now, allocate);
    let records: readonly Readonly<Record<string, unknown>>[] | null = null;
    return {
      count: items.length,
      lines: kind === 'venue' || content.columns === null ? lines : null,
      textBytes: lines.length,
      records() {
        records ??= kind === 'venue' ? parseLines(lines) : readEvents(items, lines);
        return records;
      },
      isInArea(index) {
        const item = items[index] ?? 0;
        const { locationPrecision } = kind === 'venue' ? snapshot.venueExtras(item) : snapshot.extras(item);
        return locationPrecision === 'area';
      },
    };
  };
}

/** As long as a line may be, so many stay far below the size of a part. */
const BATCH_RECORDS = 200;

/** Apache Parquet: typed columns in row groups, compressed by Snappy. Lists are lists, instants are UTC timestamps. */

import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell } from '../../records/index.ts';
import type { Format, PartWriter } from './format.ts';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

export const parquet: Format = {
  extension: 'parquet',
  contentType: 'application/vnd.apache.parquet',
  begin(file, cells): PartWriter {
    const writer = new ByteWriter();
    const flush = () => {
      file.append(new Uint8Array(writer.buffer, 0, writer.index));
      writer.index = 0;
    };
    const out = new ParquetWriter({
      writer: Object.assign(writer, { flush, finish: flush }),
      schema: schemaOf(cells),
      createdBy: 'Marquee',
    });
    let group = createGroup(cells);

    const flushGroup = () => {
      if (group.rows === 0) return;
      const columnData = cells.map(({ name }, n) => ({ name, data: group.columns[n] ?? [] }));
      out.write({ columnData, rowGroupSize: group.rows });
      group = createGroup(cells);
    };

    return {
      // What Snappy makes of a column is at most a sixth longer than it was, and the text of a record is longer than its columns.
      bytesWith: (batch) => file.bytes() + (group.rawBytes + batch.textBytes) * 1.17 + FOOTER_BYTES,
      write(batch) {
        for (const record of batch.records()) {
          for (const [n, cell] of cells.entries()) group.columns[n]?.push(toStored(cell, cell.read(record)));
        }
        group.rows += batch.count;
        group.rawBytes += batch.textBytes;
        if (group.rows >= GROUP_ROWS || group.rawBytes >= GROUP_BYTES) flushGroup();
      },
      end() {
        flushGroup();
        out.finish();
      },
    };
  },
};

interface Group {
  rows: number;
  rawBytes: number;
  columns: unknown[][];
}

const createGroup = (cells: readonly Cell[]): Group => ({ rows: 0, rawBytes: 0, columns: cells.map(() => []) });

function toStored({ type }: Cell, value: unknown): unknown {
  if (value === null || value === undefined) return type === 'list' ? [] : null;
  if (type === 'instant') return new Date(value as string);
  return type === 'json' ? JSON.stringify(value) : value;
}

function schemaOf(cells: readonly Cell[]): SchemaElement[] {
  return [{ name: 'root', num_children: cells.length }, ...cells.flatMap(({ name, type }) => ELEMENTS[type](name))];
}

const ELEMENTS: Record<Cell['type'], (name: string) => SchemaElement[]> = {
  text: (name) => [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }],
  json: (name) => [{ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' }],
  instant: (name) => [{ name, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', repetition_type: 'OPTIONAL' }],
  flag: (name) => [{ name, type: 'BOOLEAN', repetition_type: 'OPTIONAL' }],
  whole: (name) => [{ name, type: 'INT32', repetition_type: 'OPTIONAL' }],
  number: (name) => [{ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' }],
  list: (name) => [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
  ],
};

const GROUP_ROWS = 5_000;
/** Of records as text. */
const GROUP_BYTES = 6_000_000;
/** Some 200 bytes for each column of a row group. */
const FOOTER_BYTES = 1_000_000;

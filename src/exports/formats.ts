/** What a format of files is: how records become the bytes of one part. */

import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { withoutPoint } from '../feeds/index.ts';
import type { Cell } from '../records/index.ts';
import { writeCsvCell } from '../values/csv-cell.ts';
import type { ExportFormat } from './model.ts';
import type { PartFile } from './part-file.ts';

/** A few hundred records of one kind. Its bytes are good until the next batch is made. */
export interface RecordBatch {
  count: number;
  /** The detail records, each followed by a line feed; only where they are asked for as they are. */
  lines: Buffer | null;
  /** How long the detail records are as text. */
  textBytes: number;
  records(): readonly Readonly<Record<string, unknown>>[];
  /** Whether only the area of this record is known. */
  isInArea(index: number): boolean;
}

export interface PartWriter {
  /** What the file would have if the batch were added and the file closed, at most. */
  bytesWith(batch: RecordBatch): number;
  write(batch: RecordBatch): void;
  /** Writes the end of the file; the file itself stays open. */
  end(): void;
}

interface Format {
  extension: string;
  contentType: string;
  /** `cells`: of the kind of records that the file holds. */
  begin(file: PartFile, cells: readonly Cell[]): PartWriter;
}

/** NDJSON: one record a line. A whole record is the very bytes that the detail endpoint answers. */
const ndjson: Format = {
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

/** CSV (RFC 4180): a header line, CRLF, and cells that no spreadsheet takes for a formula. */
const csv: Format = {
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8; header=present',
  begin(file, cells) {
    let formatted: { batch: RecordBatch; bytes: Buffer } | null = null;
    const bytesOf = (batch: RecordBatch): Buffer => {
      if (formatted?.batch !== batch) formatted = { batch, bytes: Buffer.from(formatRows(batch, cells)) };
      return formatted.bytes;
    };
    file.append(Buffer.from(`${cells.map(({ name }) => name).join(',')}\r\n`));
    return {
      bytesWith: (batch) => file.bytes() + bytesOf(batch).length,
      write: (batch) => file.append(bytesOf(batch)),
      end: () => {},
    };
  },
};

const formatRows = (batch: RecordBatch, cells: readonly Cell[]): string =>
  recordsWithPoints(batch)
    .map((record) => `${cells.map((cell) => formatCell(cell.read(record))).join(',')}\r\n`)
    .join('');

/** For columns that do not say how sure a point is: what is only known to be in an area has none. */
const recordsWithPoints = (batch: RecordBatch): readonly Readonly<Record<string, unknown>>[] =>
  batch.records().map((record, index) => (batch.isInArea(index) ? withoutPoint(record) : record));

/** Null is an empty cell. Lists are joined by `|`. Only texts can be formulas: a negative number is a number. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return writeCsvCell(typeof value === 'string' ? value : Array.isArray(value) ? value.join('|') : JSON.stringify(value));
}

/** GeoJSON (RFC 7946): each part is a FeatureCollection of its own. */
const geojson: Format = {
  extension: 'geojson',
  contentType: 'application/geo+json; charset=utf-8',
  begin(file) {
    let isEmpty = true;
    let formatted: { batch: RecordBatch; bytes: Buffer } | null = null;
    const bytesOf = (batch: RecordBatch): Buffer => {
      if (formatted?.batch !== batch) formatted = { batch, bytes: Buffer.from(formatFeatures(batch)) };
      return formatted.bytes;
    };
    file.append(Buffer.from(HEAD));
    return {
      bytesWith: (batch) => file.bytes() + SEPARATOR.length + bytesOf(batch).length + TAIL.length,
      write(batch) {
        if (batch.count === 0) return;
        if (!isEmpty) file.append(Buffer.from(SEPARATOR));
        isEmpty = false;
        file.append(bytesOf(batch));
      },
      end: () => file.append(Buffer.from(TAIL)),
    };
  },
};

const formatFeatures = (batch: RecordBatch): string =>
  batch
    .records()
    .map((record, index) => formatFeature(record, batch.isInArea(index)))
    .join(',\n');

/** Longitude first. An event is where its venue is; without the column of the venue, and where only an area is known, it is nowhere. */
function formatFeature(record: Readonly<Record<string, unknown>>, isInArea: boolean): string {
  const place = (record.venue ?? record) as { latitude?: number; longitude?: number };
  const { latitude, longitude } = place;
  const geometry =
    isInArea || latitude === undefined || longitude === undefined ? null : { type: 'Point', coordinates: [longitude, latitude] };
  return JSON.stringify({ type: 'Feature', id: record.id, geometry, properties: record });
}

/* Apache Parquet: typed columns in row groups, compressed by Snappy. Lists are lists, instants are UTC timestamps. */

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const parquet: Format = {
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
        for (const record of recordsWithPoints(batch)) {
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

export const FORMATS: Readonly<Record<ExportFormat, Format>> = { ndjson, csv, geojson, parquet };
const HEAD = '{"type":"FeatureCollection","features":[\n';
const SEPARATOR = ',\n';
const TAIL = '\n]}\n';

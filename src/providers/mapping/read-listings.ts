/** Bytes of a provider's answer into listings, one by one. */

import type { RawRecord, ReadListing } from '../listing.ts';
import { ProviderError } from '../provider-error.ts';
import { decodeText } from '../reading/decode-text.ts';
import { parseJson } from '../reading/parse-json.ts';
import { cellText, columnsOf, readForm } from './csv-form.ts';
import { type CsvRow, csvRows } from './csv-rows.ts';
import type { Mapping } from './mapping.ts';

/** The kinds that need a mapping. */
export type ProviderKind = 'json' | 'csv';

/**
 * Throws a `ProviderError` when the bytes as a whole are not of the kind. One bad record stops nothing. `onDocument` is given the whole
 * document of a kind that holds it as one.
 */
export async function* readListings(
  kind: ProviderKind,
  chunks: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  onDocument: (document: unknown) => void = () => {},
): AsyncGenerator<ReadListing> {
  for await (const record of READERS[kind](chunks, mapping, onDocument)) {
    const { index, bytes } = record;
    if (!record.ok) {
      yield { ok: false, index, bytes, field: null, reason: record.reason, externalId: null };
      continue;
    }
    const mapped = mapping.read(record.value);
    if (mapped === null) yield { ok: 'dropped', index, bytes };
    else if ('refused' in mapped) yield { ok: false, index, bytes, ...mapped.refused };
    else
      for (const listing of mapped) yield { ok: true, index, bytes: bytes / mapped.length, listing, record: () => record.value };
  }
}

type ReadRecords = (
  chunks: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  onDocument: (document: unknown) => void,
) => AsyncIterable<RawRecord>;

/** Records of a JSON document. It is held as a whole, so its size and depth are limited before it is parsed. */
async function* readJson(
  chunks: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  onDocument: (document: unknown) => void,
): AsyncGenerator<RawRecord> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_JSON_BYTES) throw new ProviderError('too_large', `the document is larger than ${MAX_JSON_BYTES} bytes`);
    parts.push(chunk);
  }
  const body = Buffer.concat(parts);
  const document = parseJson(mapping.unwrap === null ? body : unwrapAssignment(decodeText({ body, contentType: null })));
  onDocument(document);
  const records = findRecords(document, mapping);
  const share = bytes / Math.max(1, records.length);
  for (const [index, value] of records.entries()) yield { index: index + 1, bytes: share, ok: true, value };
}

/**
 * Records of a CSV file (RFC 4180) as spreadsheet programs save it. The first line names the columns. A row is an object of the columns'
 * names. Empty cells at its end may be missing or too many; a row with other cells beyond the header is a record that cannot be read. Rows
 * without content are none.
 */
async function* readCsv(chunks: AsyncIterable<Uint8Array>, mapping: Mapping): AsyncGenerator<RawRecord> {
  const { text, bytes: bytesOfAll } = await readText(chunks);
  if (MARKUP.test(text)) throw new ProviderError('not_of_the_kind', 'the file is not CSV: it is a web page or XML');
  const { delimiter, rows } = readForm(text, mapping.delimiter);
  const bytesPerChar = bytesOfAll / Math.max(1, text.length);
  let columns: string[] | null = null;
  let index = 0;
  for (const { cells, chars } of checked(csvRows(rows, delimiter))) {
    const length = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
    if (length === 0) continue;
    if (!columns) {
      columns = columnsOf(cells, mapping.paths);
      continue;
    }
    index++;
    const bytes = chars * bytesPerChar;
    if (length <= columns.length) yield { index, bytes, ok: true, value: rowOf(columns, cells) };
    else yield { index, bytes, ok: false, reason: describeLength(columns.length, length) };
  }
}

/** Held as a whole, as its form shows in its first lines. */
async function readText(chunks: AsyncIterable<Uint8Array>): Promise<{ text: string; bytes: number }> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      parts.push(decoder.decode(chunk, { stream: true }));
    }
    parts.push(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ProviderError('not_of_the_kind', 'the file is not UTF-8');
  }
  return { text: parts.join(''), bytes };
}

function* checked(rows: Generator<CsvRow>): Generator<CsvRow> {
  try {
    yield* rows;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ProviderError('not_of_the_kind', `the file is not CSV: ${error.message}`);
  }
}

function rowOf(columns: readonly string[], cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((name, index) => [name, cellText(cells[index] ?? '')]));
}

function describeLength(wanted: number, got: number): string {
  return `wanted ${wanted} ${wanted === 1 ? 'cell' : 'cells'}, got ${got}`;
}

/**
 * The records of a JSON document, by the paths of a mapping. With `each` a record counts once for each element of its list, which rules
 * then find under `each`; one without such a list, or with an empty one, counts as it is. Throws a `ProviderError` where there is no list
 * of records.
 */
function findRecords(document: unknown, { records: path, each }: Pick<Mapping, 'records' | 'each'>): unknown[] {
  const records = follow(document, path);
  if (!Array.isArray(records)) {
    throw new ProviderError('not_of_the_kind', `the document has no list at ${path === '' ? 'its top' : JSON.stringify(path)}`);
  }
  if (each === null) return records;
  return records.flatMap((record) => {
    const parts = follow(record, each);
    return Array.isArray(parts) && parts.length > 0 ? parts.map((part) => ({ ...record, each: part })) : [record];
  });
}

/** The JSON of `var events = […];`, as pages include their data. What is no assignment stays as it is. */
function unwrapAssignment(text: string): string {
  return text.replace(ASSIGNMENT, '').replace(/;?\s*$/, '');
}

function follow(value: unknown, path: string): unknown {
  const steps = path === '' ? [] : path.split('.');
  return steps.reduce<unknown>(
    (found, step) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, step)
        ? (found as Record<string, unknown>)[step]
        : undefined,
    value,
  );
}

const READERS: Readonly<Record<ProviderKind, ReadRecords>> = { json: readJson, csv: readCsv };
const MAX_JSON_BYTES = 128 * 1024 * 1024;
const MARKUP = /^\s*<(?:!doctype|html|table|\?xml)\b/i;
const ASSIGNMENT = /^\ufeff?\s*(?:(?:var|let|const)\s+)?[A-Za-z_$][\w$.]{0,100}\s*=\s*/;

/** Reads a backup from its first line to its last, and lets nothing pass that the manifest does not say. */

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import {
  BackupError,
  type BackupHeader,
  type BackupManifest,
  type DataFile,
  FORMAT,
  type SequenceState,
  type TableFacts,
} from './model.ts';
import { createRowDigest, type RowDigest } from './row-digest.ts';

/** Who takes what is read, one after the other. What comes before `end` may still prove to be wrong. */
export interface BackupReader {
  header(header: BackupHeader): Promise<void>;
  beginTable(table: string, columns: readonly string[]): Promise<void>;
  /** Rows as PostgreSQL reads them. */
  rows(rows: readonly string[]): Promise<void>;
  endTable(): Promise<void>;
  sequence(state: SequenceState): Promise<void>;
  file(file: DataFile): Promise<void>;
}

/** A backup of which the first line was read: its header is there before anything is made ready for the rest. */
export interface OpenBackup {
  header: BackupHeader;
  /** Once. Resolves when all was taken and is what the manifest says. Rejects with a `BackupError`, or as `reader` does. */
  read(reader: BackupReader): Promise<BackupManifest>;
}

/** Rejects with a `BackupError` for what is no backup, or one of a format that this version does not know. */
export async function openBackup(source: Readable): Promise<OpenBackup> {
  const blocks = splitLines(source);
  const { value: first } = await blocks.next();
  if (!first) throw new BackupError('not_a_backup');
  const [line = '', ...lines] = first.lines;
  const header = parseHeader(line);
  return { header, read: (reader) => readRest(header, joinBlocks({ ...first, lines }, blocks), reader) };
}

/** As `openBackup` and its `read`. */
export const readBackup = async (source: Readable, reader: BackupReader): Promise<BackupManifest> =>
  (await openBackup(source)).read(reader);

async function* joinBlocks(first: LineBlock, others: AsyncIterable<LineBlock>): AsyncGenerator<LineBlock> {
  yield first;
  yield* others;
}

async function readRest(header: BackupHeader, blocks: AsyncIterable<LineBlock>, reader: BackupReader): Promise<BackupManifest> {
  const state = createReadState(header, reader);
  await reader.header(header);
  for await (const { lines, sha256 } of blocks) {
    for (let at = 0; at < lines.length; ) {
      const end = endOfRows(lines, at);
      if (end > at) await state.takeRows(lines.slice(at, end));
      if (end < lines.length) await state.takeLine(lines[end] ?? '', sha256);
      at = end + 1;
    }
  }
  const manifest = state.manifest();
  if (!manifest) throw new BackupError('cut');
  return manifest;
}

function parseHeader(text: string): BackupHeader {
  const line = parseLine(text);
  if (line?.marquee !== 'backup' || typeof line.format !== 'number') throw new BackupError('not_a_backup');
  const { format, version, schema } = line as unknown as BackupHeader;
  if (format === FORMAT && !Array.isArray(schema)) throw damaged('its first line names no migrations');
  if (format === FORMAT) return line as unknown as BackupHeader;
  throw new BackupError('newer_format', { format: String(format), known: String(FORMAT), version: String(version) });
}

function endOfRows(lines: readonly string[], from: number): number {
  let end = from;
  while (end < lines.length && isRow(lines[end] ?? '')) end += 1;
  return end;
}

interface OpenTable {
  name: string;
  rows: number;
  digest: RowDigest;
}

function createReadState(header: BackupHeader, reader: BackupReader) {
  const tables: Record<string, TableFacts> = {};
  const files: string[] = [];
  let table: OpenTable | undefined;
  let manifest: BackupManifest | undefined;

  async function beginTable({ table: name, columns }: { table: string; columns: string[] }): Promise<void> {
    if (table || Object.hasOwn(tables, name)) throw damaged(`the table ${name} begins in the wrong place`);
    if (!Array.isArray(columns)) throw damaged(`the table ${name} has no columns`);
    table = { name, rows: 0, digest: createRowDigest() };
    await reader.beginTable(name, columns);
  }

  async function endTable(end: TableFacts & { end: string }): Promise<void> {
    if (table?.name !== end.end) throw damaged(`the table ${end.end} ends in the wrong place`);
    const facts = { rows: table.rows, digest: table.digest.value() };
    if (!isSame(facts, { rows: end.rows, digest: end.digest }))
      throw damaged(`the rows of ${end.end} are not those that were written`);
    tables[end.end] = facts;
    table = undefined;
    await reader.endTable();
  }

  function end(found: BackupManifest, sha256: string | null): void {
    const { marquee: _, ...facts } = header as BackupHeader & { marquee: string };
    const rows = Object.values(tables).reduce((sum, each) => sum + each.rows, 0);
    if (table || !isSame(found, { ...facts, tables, rows, files, sha256 } as unknown as BackupManifest)) {
      throw damaged('its manifest does not fit its contents');
    }
    manifest = found;
  }

  return {
    manifest: () => manifest,
    async takeRows(lines: readonly string[]): Promise<void> {
      if (!table || manifest) throw damaged('a row is in the wrong place');
      for (const line of lines) table.digest.add(line);
      table.rows += lines.length;
      await reader.rows(lines.map(unescapeRow));
    },
    async takeLine(text: string, sha256: string | null): Promise<void> {
      const line = parseLine(text);
      if (!line || manifest) throw damaged('a line is in the wrong place');
      if ('table' in line) return beginTable(line as never);
      if ('end' in line) return endTable(line as never);
      if ('sequence' in line) return reader.sequence(line as never);
      if ('manifest' in line) return end(line.manifest as BackupManifest, sha256);
      if (!('file' in line)) throw damaged('a line is unknown');
      files.push(String(line.file));
      return reader.file(line as never);
    },
  };
}

function parseLine(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
const damaged = (what: string): BackupError => new BackupError('damaged', { what });

/** The lines of some bytes; the digest comes with those that end with the manifest. */
interface LineBlock {
  lines: string[];
  sha256: string | null;
}

/** The lines of a backup from its bytes. Rejects with a `BackupError` for bytes that are no backup, end too early or are damaged. */
async function* splitLines(source: Readable): AsyncGenerator<LineBlock> {
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

/** Resolves when every digest fits: all is there and as it was written. Rejects with a `BackupError`. */
export async function checkBackup(source: Readable): Promise<BackupManifest> {
  const ignore = async () => {};
  try {
    return await readBackup(source, {
      ...{ header: ignore, beginTable: ignore, rows: ignore, endTable: ignore, sequence: ignore, file: ignore },
    });
  } finally {
    source.destroy();
  }
}

/*
 * A row as a line: the text that PostgreSQL gives for the whole row, as in `(1,"two, three",)`, without line ends. Every type reads its
 * own text again exactly, on either engine.
 */

/** Rows begin with a parenthesis; all other lines are objects. */
const isRow = (line: string): boolean => line.startsWith('(');

export const escapeRow = (row: string): string =>
  NEEDS_ESCAPE.test(row) ? row.replace(/[\\\n\r]/g, (letter) => ESCAPES[letter] ?? letter) : row;

export const unescapeRow = (line: string): string =>
  line.includes('\\') ? line.replace(/\\([\\nr])/g, (_, letter: string) => LETTERS[letter] ?? letter) : line;

/** The literal of an array of rows. */
export const rowArray = (rows: readonly string[]): string =>
  `{${rows.map((row) => `"${row.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;

const NEEDS_ESCAPE = /[\\\n\r]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };
const LETTERS: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r' };
const LINE_END = 0x0a;
const MANIFEST = '\n{"manifest":';
/** A row that holds the longest listing has some hundred kilobytes. */
const MAX_LINE_BYTES = 64 * 2 ** 20;
const UNEXPECTED_END = 'Z_BUF_ERROR';
const NO_ZSTD = 'ZSTD_error_prefix_unknown';

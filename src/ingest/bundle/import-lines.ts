/** The lines of one file: parsed one by one, checked against each other, saved in batches. */

import { hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type Checked, isPlainObject, quote, type Reject } from '../../facts/index.ts';
import { toSourceValues } from '../records/records.ts';
import type { Counts } from '../stored-runs/run-report.ts';
import { addCounts, type BatchOutcome, type Entry, NOTHING } from './context.ts';
import type { ReadLine } from './read-ndjson.ts';

export interface LinesOptions<T> {
  file: string;
  lines: AsyncIterable<ReadLine>;
  parse: (value: unknown) => Checked<T>;
  /** What of a draft is compared and kept; must say all that the written record depends on. */
  listing: (draft: T) => object;
  /** Saves one batch, all or nothing; calls `onWriting` when most of what is left of it is the database's work. */
  save: (entries: Entry<T>[], onWriting: () => void) => Promise<BatchOutcome>;
  onReject: (reject: Reject) => void;
  onProgress: (lines: number, bytes: number) => void;
}

/** What is remembered of a file once it is read: in memory by digest, so that a long file takes little. */
export interface FileNotes {
  file: string;
  counts: Counts;
  bytes: number;
  /** Whether the file has a line with this external id, be it good or bad. */
  has(externalId: string): boolean;
  accepted(externalId: string): boolean;
  /** Lines so broken that they do not say which record they are. */
  nameless: number;
}

export async function importLines<T extends { externalId: string; id: string | null }>(
  options: LinesOptions<T>,
): Promise<FileNotes> {
  const { file, lines, parse, listing, onReject } = options;
  const seen = createSeenLines();
  const batches = createBatches(options, seen);
  let bytes = 0;
  let lastLine = 0;
  try {
    for await (const read of lines) {
      lastLine = read.line;
      if (lastLine % LINES_AT_ONCE === 0) await turn();
      bytes += read.bytes;
      const parsed: Checked<T> = read.ok ? parse(read.value) : { ok: false, field: read.field ?? null, reason: read.reason };
      const refusal = parsed.ok ? seen.add(read.line, parsed.value) : parsed;
      if (refusal) {
        onReject({ file, line: read.line, field: refusal.field, reason: refusal.reason });
        seen.addRefused(read.line, nameOf(read));
      } else if (parsed.ok) {
        batches.add({ line: read.line, draft: parsed.value, values: toSourceValues(listing(parsed.value)) }, read.bytes);
      }
      if (batches.isFull()) await batches.flush(lastLine, bytes);
    }
    await batches.flush(lastLine, bytes);
  } finally {
    // Also when reading fails: nobody writes behind the back of a run that is over.
    await batches.saved();
  }
  return { file, counts: batches.counts(), bytes, nameless: seen.nameless(), has: seen.has, accepted: seen.accepted };
}

/** What is remembered of the lines that were read. */
function createSeenLines() {
  /** By external id the number of its line, with `ACCEPTED` added once it is saved. */
  const seen = createDigestMap();
  const ids = createDigestMap();
  let nameless = 0;

  return {
    /** The refusal of a line that says the same as an earlier one of the file, or null; remembers the line otherwise. */
    add(line: number, draft: { externalId: string; id: string | null }): { field: string; reason: string } | null {
      const earlier = seen.get(draft.externalId);
      if (earlier) {
        const reason = `${quote(draft.externalId)} is already that of line ${earlier % ACCEPTED}`;
        return { field: 'externalId', reason };
      }
      seen.set(draft.externalId, line);
      if (draft.id === null) return null;
      const namesake = ids.get(draft.id);
      if (namesake) return { field: 'id', reason: `${draft.id} is already the id of line ${namesake}` };
      ids.set(draft.id, line);
      return null;
    },
    /** `name`: the external id as it was read. */
    addRefused(line: number, name: unknown): void {
      if (typeof name !== 'string' || name === '') nameless++;
      else if (!seen.get(name.normalize('NFC'))) seen.set(name.normalize('NFC'), line);
    },
    accept(externalId: string): void {
      seen.set(externalId, ((seen.get(externalId) ?? 0) % ACCEPTED) + ACCEPTED);
    },
    has: (externalId: string): boolean => seen.get(externalId) !== undefined,
    accepted: (externalId: string): boolean => (seen.get(externalId) ?? 0) >= ACCEPTED,
    nameless: () => nameless,
  };
}

/** One batch is written while the next is read: the database works on another thread or machine. */
function createBatches<T>({ file, save, onReject, onProgress }: LinesOptions<T>, seen: { accept(externalId: string): void }) {
  let counts = NOTHING;
  let batch: Entry<T>[] = [];
  let batchBytes = 0;
  let saving: Promise<void> = Promise.resolve();

  async function finish(entries: Entry<T>[], line: number, bytesSoFar: number, onWriting: () => void): Promise<void> {
    if (entries.length > 0) {
      const outcome = await save(entries, onWriting);
      counts = addCounts(counts, outcome);
      for (const externalId of outcome.accepted) seen.accept(externalId);
      for (const reject of outcome.rejects) onReject({ file, ...reject });
    }
    onProgress(line, bytesSoFar);
  }

  return {
    add(entry: Entry<T>, bytes: number): void {
      batch.push(entry);
      batchBytes += bytes;
    },
    isFull: (): boolean => batch.length >= MAX_PER_BATCH || batchBytes >= MAX_BATCH_BYTES,
    async flush(line: number, bytesSoFar: number): Promise<void> {
      await saving;
      const writing = Promise.withResolvers<void>();
      saving = finish(batch, line, bytesSoFar, writing.resolve);
      // Awaited at the next flush; a failure before that must not count as unhandled.
      saving.then(writing.resolve, writing.resolve);
      batch = [];
      batchBytes = 0;
      // Until then it is this thread that is waited for.
      await writing.promise;
    },
    saved: () => saving,
    counts: () => counts,
  };
}

function nameOf(read: ReadLine): unknown {
  if (!read.ok) return read.externalId;
  return isPlainObject(read.value) ? read.value.externalId : undefined;
}

/** A millisecond of reading: after it the database is given what it waits for. */
const LINES_AT_ONCE = 20;
/** Above every line number. */
const ACCEPTED = 2 ** 31;
/** A batch is one transaction and a handful of statements; larger ones gain nothing and hold others up longer. */
const MAX_PER_BATCH = 2000;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

export interface DigestMap {
  readonly size: number;
  /** The number of a key, or undefined. */
  get(key: string): number | undefined;
  /** Remembers `value` (1 … 2³² − 1) for a key. */
  set(key: string, value: number): void;
}

/** Open addressing with linear probing over one typed array; among a million keys two share a digest with a chance of 10⁻¹⁷. */
export function createDigestMap(): DigestMap {
  let slots = new Uint32Array(FIRST_SLOTS * WORDS);
  let size = 0;

  /** Offset of the slot that holds a digest, or of the empty slot where it belongs. A slot's last word is its value, 0 when empty. */
  const find = (table: Uint32Array, digest: Uint32Array): number => {
    const mask = table.length / WORDS - 1;
    for (let slot = (digest[0] ?? 0) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * WORDS;
      if (table[at + DIGEST_WORDS] === 0) return at;
      if (digest.every((word, index) => table[at + index] === word)) return at;
    }
  };

  const grow = (): void => {
    const larger = new Uint32Array(slots.length * 2);
    for (let at = 0; at < slots.length; at += WORDS) {
      if (slots[at + DIGEST_WORDS] === 0) continue;
      const entry = slots.subarray(at, at + WORDS);
      larger.set(entry, find(larger, entry.subarray(0, DIGEST_WORDS)));
    }
    slots = larger;
  };

  return {
    get size() {
      return size;
    },
    get(key) {
      return slots[find(slots, digestOf(key)) + DIGEST_WORDS] || undefined;
    },
    set(key, value) {
      const digest = digestOf(key);
      const at = find(slots, digest);
      if (slots[at + DIGEST_WORDS] === 0) size++;
      slots.set(digest, at);
      slots[at + DIGEST_WORDS] = value;
      if (size * WORDS > slots.length * MAX_FULL) grow();
    },
  };
}

function digestOf(key: string): Uint32Array {
  // As text, a byte a character: Node takes three times as long to make a buffer.
  const bytes = hash('sha256', key, 'binary');
  return Uint32Array.from({ length: DIGEST_WORDS }, (_, word) => wordAt(bytes, word * Uint32Array.BYTES_PER_ELEMENT));
}

const wordAt = (bytes: string, at: number): number =>
  bytes.charCodeAt(at) | (bytes.charCodeAt(at + 1) << 8) | (bytes.charCodeAt(at + 2) << 16) | (bytes.charCodeAt(at + 3) << 24);

const DIGEST_WORDS = 3;
const WORDS = DIGEST_WORDS + 1;
const FIRST_SLOTS = 1024;
const MAX_FULL = 0.75;

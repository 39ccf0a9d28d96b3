/** Takes back, in the files of a dead database, what `power-journal.ts` saw written and not synced. */

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PowerNote } from './power-journal.ts';

export interface PowerCut {
  /** Pages that were changed and not synced. */
  unsynced: number;
  lost: number;
}

/** `survives` decides for each page that was not synced whether the disk has it all the same. */
export function cutPower(folder: string, journal: string, survives: () => boolean): PowerCut {
  const paths = new Map<number, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) paths.set(statSync(path).ino, path);
  }
  const cut: PowerCut = { unsynced: 0, lost: 0 };
  for (const [ino, changes] of unsyncedChanges(journal)) {
    const path = paths.get(ino);
    // Files that are gone were removed for good.
    if (path) writeFileSync(path, mix(readFileSync(path), undo(readFileSync(path), changes), survives, cut));
  }
  return cut;
}

type Change = Extract<PowerNote, { kind: 'change' }>;

function unsyncedChanges(journal: string): Map<number, Change[]> {
  const changes = new Map<number, Change[]>();
  // The last line may be cut in the middle: its write has not happened.
  const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
  for (const line of lines) {
    const note = JSON.parse(line) as PowerNote;
    if (note.kind === 'sync') changes.delete(note.ino);
    else changes.set(note.ino, [...(changes.get(note.ino) ?? []), note]);
  }
  return changes;
}

/** The file as it was when it was synced last. */
function undo(now: Buffer, changes: readonly Change[]): Buffer {
  let file = now;
  for (const { size, at, before } of changes.toReversed()) {
    const bytes = Buffer.from(before, 'base64');
    const earlier = Buffer.alloc(size);
    file.copy(earlier, 0, 0, Math.min(file.length, size));
    bytes.copy(earlier, at);
    file = earlier;
  }
  return file;
}

/** Page by page, as disks write: the file as it is, or as it was synced. */
function mix(now: Buffer, synced: Buffer, survives: () => boolean, cut: PowerCut): Buffer {
  const mixed = Buffer.alloc(Math.max(now.length, synced.length));
  let end = synced.length;
  for (let at = 0; at < mixed.length; at += PAGE_BYTES) {
    const [newer, older] = [now, synced].map((file) => file.subarray(at, at + PAGE_BYTES)) as [Buffer, Buffer];
    if (newer.equals(older)) {
      newer.copy(mixed, at);
      continue;
    }
    cut.unsynced += 1;
    const kept = survives();
    if (!kept) cut.lost += 1;
    (kept ? newer : older).copy(mixed, at);
    if (kept) end = Math.max(end, at + newer.length);
  }
  return mixed.subarray(0, end);
}

const PAGE_BYTES = 4_096;

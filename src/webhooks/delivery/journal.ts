/**
 * Notes in a file which messages were delivered, until the database knows. The file outlives the process: whoever takes over an
 * endpoint from a process that died does not repeat what is noted.
 */

import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AttemptResult } from './deliver.ts';

/** A delivered attempt. Times in milliseconds. */
export interface JournalEntry {
  endpointId: string;
  deliveryId: string;
  messageId: string;
  type: string;
  number: number;
  at: number;
  result: AttemptResult;
}

export interface Journal {
  note(entry: JournalEntry): void;
  /** The database knows all that was noted. */
  clear(): void;
  /** What another process, dead by now, had noted. Empty where it had another data folder. */
  read(owner: string): JournalEntry[];
}

/** `owner`: the holder of leases that this process is, a UUID. */
export function openJournal(dataDir: string, owner: string): Journal {
  const folder = join(dataDir, 'webhooks');
  const fileOf = (name: string) => join(folder, `${name}.jsonl`);
  let isEmpty = true;
  return {
    note(entry) {
      try {
        if (isEmpty) mkdirSync(folder, { recursive: true, mode: 0o700 });
        appendFileSync(fileOf(owner), `${JSON.stringify(entry)}\n`, { mode: 0o600 });
        isEmpty = false;
      } catch {
        // A full disk costs a repetition after a crash, and nothing else.
      }
    },
    clear() {
      if (!isEmpty) rmSync(fileOf(owner), { force: true });
      isEmpty = true;
    },
    read: (name) => parseEntries(readText(fileOf(name))),
  };
}

/** Without a data folder nothing is noted. */
export const NO_JOURNAL: Journal = { note: () => {}, clear: () => {}, read: () => [] };

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The last line may be incomplete. */
function parseEntries(text: string): JournalEntry[] {
  return text.split('\n').flatMap((line): JournalEntry[] => {
    try {
      return [JSON.parse(line) as JournalEntry];
    } catch {
      return [];
    }
  });
}

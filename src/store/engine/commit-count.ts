/**
 * How often a list may have grown, counted where every commit of every process passes: at the engine. The count lies in memory that
 * all threads of the process share, so a follower reads it without asking the database.
 */

export interface CommitCount {
  /** The engine runs in this process from now on; what others have committed before is counted as one. */
  engineCame(): void;
  engineLeft(): void;
  committed(): void;
  /** Undefined while the engine is elsewhere, where commits are not counted for this process. */
  read(): number | undefined;
}

/** For `openCommitCount` in any thread. */
export function createCommitMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT);
}

export function openCommitCount(memory: SharedArrayBuffer): CommitCount {
  const cells = new Int32Array(memory);
  return {
    engineCame() {
      Atomics.add(cells, COMMITS, 1);
      Atomics.store(cells, IS_HERE, 1);
    },
    engineLeft: () => void Atomics.store(cells, IS_HERE, 0),
    committed: () => void Atomics.add(cells, COMMITS, 1),
    read: () => (Atomics.load(cells, IS_HERE) === 1 ? Atomics.load(cells, COMMITS) : undefined),
  };
}

/** What the text of a statement begins with that appends to no list although it writes: nobody looks because of it. */
export const NO_LIST_MARK = '/* no list */';

const IS_HERE = 0;
const COMMITS = 1;
const CELLS = 2;

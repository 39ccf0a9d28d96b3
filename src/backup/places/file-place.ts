/** Backups in files of this machine. A file has its name only when it is whole and on the disk. */

import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { StoreError, takeLock } from '../../store/index.ts';
import { type BackupTarget, cannotWrite, createTarget } from './target.ts';

/** Rejects with a `BackupError` when the file cannot be made. */
export async function openFileTarget(path: string): Promise<BackupTarget> {
  const folder = dirname(path);
  // Not by the number of the process: in a container the next process has it again, and would meet the draft of a killed one.
  const draft = join(folder, `.${basename(path)}.${randomBytes(4).toString('hex')}${CLAIMED_DRAFT}`);
  try {
    // The draft takes the place of what is there: never of a folder, a device or a pipe.
    const present = await stat(path).catch(() => null);
    if (present && !present.isFile()) throw new Error(present.isDirectory() ? 'it is a folder' : 'it is not a file');
    await removeLeftDrafts(folder, basename(path));
    const file = await open(draft, 'wx', 0o600);
    const release = claim(draft);
    return {
      // Each chunk from where the last one ended, and all of it.
      out: createTarget(
        path,
        (chunk) => file.writeFile(chunk),
        () => file.sync(),
      ),
      async keep() {
        try {
          // Closing it gives the lock back, and a draft without one is removed by others.
          await rename(draft, path);
          await file.close();
          release();
          const place = await open(folder, 'r');
          await place.sync().finally(() => place.close());
        } catch (error) {
          throw cannotWrite(path, error);
        }
      },
      async discard() {
        await rm(draft, { force: true });
        await file.close().catch(() => undefined);
        release();
      },
    };
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Those of one backup that nobody writes any more. */
export async function removeDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const ours = names.filter((name) => name.startsWith(`.${basename(path)}.`) && name.endsWith(DRAFT));
  for (const name of ours) await rm(join(folder, name), { force: true });
}

/** Of processes that were killed: drafts of this file whose lock nobody holds, and others to which nobody has written for an hour. */
async function removeLeftDrafts(folder: string, file: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(DRAFT)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (!found) continue;
    const isOurs = name.startsWith(`.${file}.`) && name.endsWith(CLAIMED_DRAFT);
    if (Date.now() - found.mtimeMs > ABANDONED_MS || (isOurs && isLeft(path))) await rm(path, { force: true });
  }
}

/** The lock says that the draft is being written. The system gives it back however this process ends; some file systems have none. */
function claim(draft: string): () => void {
  try {
    return takeLock(dirname(draft), draft) ?? (() => undefined);
  } catch {
    return () => undefined;
  }
}

/** Whether nobody holds the lock of a draft. Where that cannot be known, somebody may. */
function isLeft(draft: string): boolean {
  try {
    const release = takeLock(dirname(draft), draft);
    release?.();
    return release !== undefined;
  } catch (error) {
    // Beside a holder, the content is not even looked at.
    return error instanceof StoreError && error.code === 'lock_file_foreign';
  }
}

const DRAFT = '.marquee-draft';
/** Versions that took no lock wrote drafts without this word. */
const CLAIMED_DRAFT = `.locked${DRAFT}`;
const ABANDONED_MS = 3_600_000;

/** Backups in files of this machine. A file has its name only when it is whole and on the disk. */

import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BackupTarget, cannotWrite, createTarget } from './target.ts';

/** Rejects with a `BackupError` when the file cannot be made. */
export async function openFileTarget(path: string): Promise<BackupTarget> {
  const folder = dirname(path);
  // Not by the number of the process: in a container the next process has it again, and would meet the draft of a killed one.
  const draft = join(folder, `.${basename(path)}.${randomBytes(4).toString('hex')}${DRAFT}`);
  try {
    // The draft takes the place of what is there: never of a folder, a device or a pipe.
    const present = await stat(path).catch(() => null);
    if (present && !present.isFile()) throw new Error(present.isDirectory() ? 'it is a folder' : 'it is not a file');
    await removeOldDrafts(folder);
    const file = await open(draft, 'wx', 0o600);
    return {
      // Each chunk from where the last one ended, and all of it.
      out: createTarget(
        path,
        (chunk) => file.writeFile(chunk),
        () => file.sync(),
      ),
      async keep() {
        try {
          await file.close();
          await rename(draft, path);
          const place = await open(folder, 'r');
          await place.sync().finally(() => place.close());
        } catch (error) {
          throw cannotWrite(path, error);
        }
      },
      async discard() {
        await file.close().catch(() => undefined);
        await rm(draft, { force: true });
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

/** Of processes that were killed: nobody has written to them for an hour. */
async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(DRAFT)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

const DRAFT = '.marquee-draft';
const ABANDONED_MS = 3_600_000;

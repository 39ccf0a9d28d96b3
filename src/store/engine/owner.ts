/** What root makes in the folder of another user becomes theirs: their service could neither open nor remove it otherwise. */

import { lchownSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Nobody else may look into it. It belongs to the owner of the folder around it. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { mode: 0o700 });
  giveToOwner(path);
}

/** A file or folder that this process has made goes to the owner of the folder around it. */
export function giveToOwner(path: string): void {
  give(() => [path], dirname(path));
}

/** All that is root's in a folder goes to the owner of the folder. */
export function giveContents(folder: string): void {
  give(() => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)), folder);
}

function give(listPaths: () => string[], folder: string): void {
  const { uid, gid } = statSync(folder);
  if (uid === 0 || process.geteuid?.() !== 0) return;
  try {
    for (const path of listPaths()) if (lstatSync(path).uid === 0) lchownSync(path, uid, gid);
  } catch {
    // Root of a container without this right: nobody else uses the folder.
  }
}

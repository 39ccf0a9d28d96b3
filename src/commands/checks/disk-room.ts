/** Whether the disk of the data folder has room: for what is written, and for the copy that a backup reads. */

import { existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export function describeDiskRoom(dataDir: string): string {
  const { bavail, bsize, blocks } = statfsSync(nearestFolder(resolve(dataDir)));
  const [free, total] = [bavail * bsize, blocks * bsize];
  const room = `${gigabytes(free)} GB of ${gigabytes(total)} GB free`;
  return free < MIN_FREE_BYTES ? `ALMOST FULL, ${room}; ${dataDir} needs ${gigabytes(MIN_FREE_BYTES)} GB at least` : room;
}

/** A data folder that is not there yet will be made in the nearest one that is. */
const nearestFolder = (folder: string): string => (existsSync(folder) ? folder : nearestFolder(dirname(folder)));

const gigabytes = (bytes: number): string => (bytes / 2 ** 30).toFixed(1);
const MIN_FREE_BYTES = 2 ** 30;

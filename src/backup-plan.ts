/** When and where backups are made without anybody asking, as `MARQUEE_BACKUP_URL` and its neighbors say. */

import { resolve } from 'node:path';
import { namePlace, type ObjectPlace } from './object-storage/index.ts';
import { parseDuration } from './values/duration.ts';

export interface BackupPlan {
  /** A folder, or a path in a bucket. Holds a secret: never log it. */
  place: string | ObjectPlace;
  /** The place for people, by which its backups are listed. */
  placeName: string;
  everyMs: number;
  /** How many complete ones. */
  keep: number;
}

export interface BackupSettings {
  url: string | undefined;
  every: string | undefined;
  keep: string | undefined;
}

/** Null without a place. A text says what is wrong. */
export function readBackupPlan(
  { url, every = DEFAULT_EVERY, keep = DEFAULT_KEEP }: BackupSettings,
  readBucket: (url: string) => ObjectPlace,
): BackupPlan | null | string {
  if (url === undefined) return null;
  const isUrl = /^[a-z][a-z\d+.-]*:/i.test(url);
  if (isUrl && !/^s3:/i.test(url)) return 'MARQUEE_BACKUP_URL must be a folder, or an address such as s3://bucket/folder';
  const seconds = parseDuration(every);
  if (seconds === null || seconds < MIN_EVERY_SECONDS || seconds > MAX_EVERY_SECONDS) {
    return `MARQUEE_BACKUP_EVERY must be a time from 1m to 366d, such as 6h or 1d, but is "${every}"`;
  }
  if (!/^\d{1,4}$/.test(keep) || Number(keep) === 0) {
    return `MARQUEE_BACKUP_KEEP must be a whole number from 1 to 9999, but is "${keep}"`;
  }
  const place = isUrl ? readBucket(url) : resolve(url);
  const placeName = typeof place === 'string' ? place : namePlace(place);
  return { place, placeName, everyMs: seconds * 1000, keep: Number(keep) };
}

const DEFAULT_EVERY = '1d';
const DEFAULT_KEEP = '7';
const MIN_EVERY_SECONDS = 60;
const MAX_EVERY_SECONDS = 366 * 86_400;

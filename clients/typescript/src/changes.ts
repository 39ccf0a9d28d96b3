/** Follows the change log, so that a copy stays equal to the directory. */

import { ResyncError } from './errors.ts';
import type { ChangeList, ListChangesParams } from './generated.ts';
import type { RequestOptions } from './options.ts';

export interface ChangeBatch {
  /** Delete the copy first: the log has started over, or is read from its beginning. */
  reset: boolean;
  changes: ChangeList['data'];
  /** Store it with the copy, and pass it as `after` the next time. */
  cursor: string;
}

export interface FollowOptions extends Omit<ListChangesParams, 'wait'> {
  /** Ends when everything has been read, instead of waiting for more. */
  once?: boolean;
  signal?: AbortSignal;
}

type ListChanges = (params: ListChangesParams, options: RequestOptions) => Promise<ChangeList>;

export async function* followChanges(
  list: ListChanges,
  { once = false, signal, after, ...filters }: FollowOptions,
): AsyncGenerator<ChangeBatch, void, undefined> {
  let cursor = after;
  let reset = cursor === undefined;
  for (let wait = 0; ; wait = once ? 0 : WAIT_SECONDS) {
    const page = await read(cursor, wait);
    if (page === null) {
      cursor = undefined;
      reset = true;
      continue;
    }
    const { next, hasMore } = page.meta;
    if (page.data.length > 0 || reset || next !== cursor) yield { reset, changes: page.data, cursor: next };
    reset = false;
    cursor = next;
    if (once && !hasMore) return;
  }

  /** Null: the cursor belongs to another history. */
  async function read(from: string | undefined, wait: number): Promise<ChangeList | null> {
    try {
      const options = { timeout: READ_MS + wait * 1_000, ...(signal && { signal }) };
      return await list({ ...filters, after: from, wait }, options);
    } catch (error) {
      if (error instanceof ResyncError && from !== undefined) return null;
      throw error;
    }
  }
}

/** As long as the service allows. */
const WAIT_SECONDS = 25;
const READ_MS = 30_000;

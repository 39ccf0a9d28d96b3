/** Writing much: while the database takes one piece, the next is made ready. */

import { setImmediate as turn } from 'node:timers/promises';

/**
 * `write` makes a statement of each piece and sends it; the statements run one after the other, in order, on the one connection of a
 * transaction. Rejects as the first that fails.
 */
export async function inPieces<T>(items: readonly T[], write: (piece: readonly T[]) => Promise<unknown>): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let from = 0; from < items.length; from += PIECE) {
    // One is being taken and one is ready: `pg` wants no more to wait, and no more would be gained.
    await sent.at(-2);
    const piece = write(items.slice(from, from + PIECE));
    // Awaited below, with the others; a failure before that must not count as unhandled.
    piece.catch(() => {});
    sent.push(piece);
    // A statement leaves only when this thread is not busy.
    await turn();
  }
  await Promise.all(sent);
}

/** Of 125, 250, 500 and all 2 000 rows of a batch, an import was quickest with these. */
const PIECE = 500;

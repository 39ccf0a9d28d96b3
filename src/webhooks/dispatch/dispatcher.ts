/**
 * Follows the change log and writes down what is to be sent. The messages of a page, their deliveries and the position are one
 * transaction, which only one of many workers can end: the position moves from where it was read, or nothing is written.
 */

import type { Kysely } from 'kysely';
import type { Clocks } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { renewLostHistory } from '../../records/index.ts';
import type { ChangePage, ChangeReader, SearchReader } from '../../search/index.ts';
import { type CommitWatcher, type Database, type Follower, followList, listEnd, transact } from '../../store/index.ts';
import { beginBurst, createBursts } from './bursts.ts';
import { type Lane, loadActive } from './subscribers.ts';
import { writePage } from './write-page.ts';

export interface DispatcherOptions {
  db: Kysely<Database>;
  commitWatcher: CommitWatcher;
  changes: ChangeReader;
  /** Opened when there is somebody to tell. */
  search(): Promise<SearchReader>;
  /** Without a trailing slash. */
  publicUrl: string;
  clocks: Clocks;
  log: Log;
  /** Called when deliveries were written. */
  onWritten(): void;
}

export async function openDispatcher(options: DispatcherOptions): Promise<Follower> {
  const { db, commitWatcher, log } = options;
  const lanes = [createLane('direct', options), createLane('matched', options)];
  // What was committed while nobody followed waits, too.
  let waiting = true;

  const dispatch = async () => {
    waiting = true;
    let anyWaits = false;
    for (const dispatchLane of lanes) anyWaits = (await dispatchLane()) || anyWaits;
    waiting = anyWaits;
  };

  return followList({
    db,
    list: 'change',
    after: await listEnd(db, 'change'),
    commitWatcher,
    pollMs: POLL_MS,
    handler: dispatch,
    async startOver({ isLoss, history }) {
      if (isLoss && (await renewLostHistory(db, history)))
        log.warn('the database has lost changes; the change log begins a new epoch');
      return listEnd(db, 'change');
    },
    // What waits for the read model is looked at again, whether or not the list has grown.
    async afterLook() {
      if (waiting) await dispatch();
      return POLL_MS;
    },
    onFailure: (err, isFirst) => {
      if (isFirst) log.error({ err }, 'webhooks cannot follow the change log; trying again');
    },
    onRecovery: () => log.info('webhooks follow the change log again'),
  });
}

/** Gives what dispatches all changes up to now. It resolves to whether changes wait for the read model. */
function createLane(lane: Lane, options: DispatcherOptions): () => Promise<boolean> {
  const { db, changes, search } = options;
  // Endpoints of the direct lane have no query that anything could enter.
  const bursts = lane === 'matched' ? createBursts() : null;

  /** Null: there may be more to dispatch at once. */
  async function dispatchPage(): Promise<boolean | null> {
    const current = (await search()).current();
    const after = await readPosition(db, lane);
    const burst = bursts?.at(after, current) ?? beginBurst(current);
    const page = await changes.read({
      after,
      snapshot: burst.now,
      limit: PAGE_SIZE,
      entities: ENTITIES,
      kinds: KINDS,
      heldOnly: lane === 'matched',
    });
    // The list was cut: what is gone cannot be told, what comes can.
    const reached = page.head < after ? page.head : page.reached;
    if (reached === after) {
      // A snapshot of which nothing can be told, though it has more, is not gone on with: the city has changed since.
      if (reached === burst.now.seq) bursts?.reach(burst, reached, []);
      else bursts?.forget();
      return page.head > after;
    }
    const written = await transact(db, (trx) => writePage(trx, { lane, after, reached, page, burst }, options));
    if (written === null) bursts?.forget();
    else bursts?.reach(burst, reached, written.moved);
    if (written && written.deliveries.length > 0) options.onWritten();
    return waitsAfter(page, reached);
  }

  return async () => {
    for (;;) {
      if ((await loadActive(db, lane)).length === 0) return false;
      const waits = await dispatchPage();
      if (waits !== null) return waits;
    }
  };
}

const waitsAfter = ({ hasMore, head }: ChangePage, reached: number): boolean | null => (hasMore ? null : reached < head);

const readPosition = async (db: Kysely<Database>, lane: Lane): Promise<number> =>
  Number(
    (await db.selectFrom('webhook_follower').select('position').where('lane', '=', lane).executeTakeFirstOrThrow()).position,
  );

const ENTITIES = ['event', 'venue', 'neighborhood'] as const;
const KINDS = ['created', 'updated', 'cancelled', 'rescheduled', 'merged', 'removed', 'scored'] as const;
const PAGE_SIZE = 200;
const POLL_MS = 100;

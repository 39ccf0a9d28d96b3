/**
 * Feeds as the serving process reads them. What was read of a token is remembered, so that most requests ask the store nothing, and
 * forgotten as soon as the list of changes of access grows: plans, suspensions and feeds are announced there.
 */

import type { Kysely } from 'kysely';
import { loadAccountTier, statusOfAccount, type TierName } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { type CommitWatcher, createDeadline, type Database, followList, listEnd } from '../store/index.ts';
import { digestOf, isToken } from './feed-urls.ts';
import { createFeeds, type Feed, type Feeds } from './feeds.ts';

/** The store does not answer, or not in time. */
export class FeedsUnavailableError extends Error {}

export type TokenLookup =
  | { found: 'open'; feed: Feed }
  /** Revoked, or its feed is removed, or its account is closed. */
  | { found: 'gone' }
  /** `tier`: what the account has now; null while it has no active plan. */
  | { found: 'stopped'; tier: TierName | null }
  /** No token, or of another form. */
  | { found: 'unknown' };

/** Every question rejects with a `FeedsUnavailableError` when the store does not answer in time. */
export interface FeedReader extends Pick<Feeds, 'list' | 'find'> {
  /** What a secret URL opens now; a change is seen within a second. */
  open(token: string, form: string): TokenLookup | Promise<TokenLookup>;
  /** The same from memory alone; undefined where the store must be asked. */
  peek(token: string, form: string): TokenLookup | undefined;
  close(): Promise<void>;
}

export interface FeedReaderOptions {
  db: Kysely<Database>;
  commitWatcher: CommitWatcher;
  /** The directory's clock. */
  now: Clock;
  monotonic?: Clock;
  log: Log;
}

/** Rejects with the store's error when the list cannot be read. */
export async function openFeedReader(options: FeedReaderOptions): Promise<FeedReader> {
  const { db, commitWatcher, now, monotonic = () => performance.now(), log } = options;
  const inTime = createDeadline({ deadlineMs: DEADLINE_MS, mostHanging: MAX_HANGING });
  const ask = <T>(work: () => Promise<T>): Promise<T> =>
    inTime(work).catch((error: unknown) => {
      throw new FeedsUnavailableError('cannot read feeds', { cause: error });
    });
  const feeds = createFeeds({ db, now });
  const load = createTokenLookup(db, feeds, now);
  /** By token and form, in the order of reading. A digest for each request would be a twentieth of what an unchanged feed costs. */
  let known = new Map<string, Exclude<TokenLookup, { found: 'unknown' }>>();
  let seenAt = Number.NEGATIVE_INFINITY;
  const forget = () => {
    known = new Map();
  };
  const follower = followList({
    db,
    list: 'access_change',
    after: await listEnd(db, 'access_change'),
    needsEvery: true,
    commitWatcher,
    monotonic,
    handler: forget,
    startOver() {
      forget();
      return listEnd(db, 'access_change');
    },
    afterLook(moment) {
      seenAt = moment;
      return POLL_MS;
    },
    onFailure(error, isFirst) {
      if (isFirst) log.warn({ err: error }, 'cannot follow changes of feeds; each request reads the database');
    },
    onRecovery: () => log.info('following changes of feeds again'),
  });

  function peek(token: string, form: string): TokenLookup | undefined {
    if (!isToken(token)) return { found: 'unknown' };
    const isCurrent = follower.isCurrent() || monotonic() - seenAt < BELIEVED_MS;
    return isCurrent ? known.get(keyOf(token, form)) : undefined;
  }

  return {
    list: (accountId) => ask(() => feeds.list(accountId)),
    find: (accountId, feedId) => ask(() => feeds.find(accountId, feedId)),

    peek,

    open(token, form) {
      const found = peek(token, form);
      if (found) return found;
      // What is read while the list grows may be from before: it is answered with, and not remembered.
      const into = known;
      return ask(() => load(digestOf(token), form)).then((lookup) => {
        if (lookup.found !== 'unknown') {
          into.set(keyOf(token, form), lookup);
          if (into.size > MAX_KNOWN) into.delete(into.keys().next().value ?? '');
        }
        return lookup;
      });
    },

    close: follower.close,
  };
}

/** What a token opens, as the store has it. */
function createTokenLookup(db: Kysely<Database>, feeds: Pick<Feeds, 'find'>, now: Clock) {
  return async (digest: Buffer, form: string): Promise<TokenLookup> => {
    const row = await db
      .selectFrom('feed_token')
      .leftJoin('feed', 'feed.id', 'feed_token.feed_id')
      .where('feed_token.digest', '=', digest)
      .where('feed_token.form', '=', form)
      .select(['feed_token.revoked_at', 'feed_token.feed_id', 'feed.account_id'])
      .select(statusOfAccount('feed.account_id').as('status'))
      .executeTakeFirst();
    if (!row) return { found: 'unknown' };
    const { revoked_at: revokedAt, feed_id: feedId, account_id: accountId } = row;
    if (revokedAt || !feedId || !accountId || row.status === 'closed') return { found: 'gone' };
    const feed = await feeds.find(accountId, feedId);
    if (!feed) return { found: 'gone' };
    const tier = await loadAccountTier(db, accountId, now());
    return tier === 'enterprise' ? { found: 'open', feed } : { found: 'stopped', tier };
  };
}

const keyOf = (token: string, form: string): string => `${token} ${form}`;

const DEADLINE_MS = 2_000;
const MAX_HANGING = 20;
const POLL_MS = 250;
/** Where nobody counts commits: with the time of a look, within the second that is promised. */
const BELIEVED_MS = 600;
const MAX_KNOWN = 10_000;

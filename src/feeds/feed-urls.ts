/** Secret URLs of feeds, one for each feed and form: made, rotated and revoked by their owner. */

import { hash, randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { announceAccount, createMinuteWindows, createUnknownKeyLimiter, recordAudit } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { type Database, transact } from '../store/index.ts';
import type { Refusal } from '../values/refusal.ts';
import type { FeedOwner } from './feeds.ts';
import { lockFeed, refuseTier } from './feeds.ts';
import { type FeedReason, refuseFeed } from './refusals.ts';

export interface FeedUrl {
  feedId: string;
  form: FeedForm;
  /** The end of the token, by which its owner knows it again. */
  last4: string;
  createdAt: Date;
}

export interface FeedUrls {
  /** The working URLs of all feeds of the account. */
  list(accountId: string): Promise<FeedUrl[]>;
  /**
   * A new secret for a feed in a form, shown this once. One that was there before answers 410 within a second. Refuses `unknown_feed`,
   * `tier_required`, `unknown_form`, `too_many_urls`.
   */
  renew(owner: FeedOwner, feedId: string, form: string): Promise<RenewedUrl | Refusal<FeedReason>>;
  /** The URL answers 410 within a second. An account without a plan may do it too. Refuses `unknown_feed`, `unknown_form`, `unknown_url`. */
  revoke(owner: FeedOwner, feedId: string, form: string): Promise<{ ok: true } | Refusal<FeedReason>>;
}

export interface RenewedUrl {
  ok: true;
  feedId: string;
  form: FeedForm;
  /** Whether it took the place of another one. */
  isRotated: boolean;
  /** What follows the public address: `/feeds/<token>.<form>`. */
  path: string;
}

interface FeedUrlsOptions {
  db: Kysely<Database>;
  /** The directory's clock. */
  now?: Clock;
  newToken?: () => NewToken;
}

export function createFeedUrls({ db, now = Date.now, newToken = createToken }: FeedUrlsOptions): FeedUrls {
  const record = (trx: Transaction<Database>, { actor, address = null }: FeedOwner, action: string, id: string, form: string) =>
    recordAudit(trx, { actor, address, action, subject: 'feed', subjectId: id, detail: { form } }, { now });

  async function replaceUrl(trx: Transaction<Database>, owner: FeedOwner, feedId: string, form: FeedForm): Promise<RenewedUrl> {
    const at = new Date(now());
    const isRotated = await revokeLive(trx, feedId, form, at);
    const { token, digest, last4 } = newToken();
    await trx.insertInto('feed_token').values({ digest, feed_id: feedId, form, last4, created_at: at }).execute();
    await record(trx, owner, isRotated ? 'feed.url-rotate' : 'feed.url-create', feedId, form);
    if (isRotated) await announceAccount(trx, owner.accountId, at);
    return { ok: true, feedId, form, isRotated, path: `/feeds/${token}.${form}` };
  }

  return {
    async list(accountId) {
      const rows = await db
        .selectFrom('feed_token')
        .innerJoin('feed', 'feed.id', 'feed_token.feed_id')
        .where('feed.account_id', '=', accountId)
        .where('feed.removed_at', 'is', null)
        .where('feed_token.revoked_at', 'is', null)
        .select(['feed.id', 'feed_token.form', 'feed_token.last4', 'feed_token.created_at'])
        .execute();
      return rows.flatMap(({ id, form, last4, created_at }) =>
        isFeedForm(form) ? [{ feedId: id, form, last4, createdAt: created_at }] : [],
      );
    },

    async renew(owner, feedId, form) {
      return transact(db, async (trx): Promise<RenewedUrl | Refusal<FeedReason>> => {
        const refused = await refuseTier(trx, owner.accountId, now());
        const feed = await lockFeed(trx, owner.accountId, feedId);
        if (!feed) return refuseFeed('unknown_feed');
        if (refused) return refused;
        if (!isFeedForm(form)) return refuseFeed('unknown_form');
        if ((await countTokens(trx, feed.id)) >= MAX_TOKENS) return refuseFeed('too_many_urls');
        return replaceUrl(trx, owner, feed.id, form);
      });
    },

    async revoke(owner, feedId, form) {
      return transact(db, async (trx): Promise<{ ok: true } | Refusal<FeedReason>> => {
        const feed = await lockFeed(trx, owner.accountId, feedId);
        if (!feed) return refuseFeed('unknown_feed');
        if (!isFeedForm(form)) return refuseFeed('unknown_form');
        const at = new Date(now());
        if (!(await revokeLive(trx, feed.id, form, at))) return refuseFeed('unknown_url');
        await record(trx, owner, 'feed.url-revoke', feed.id, form);
        await announceAccount(trx, owner.accountId, at);
        return { ok: true };
      });
    },
  };
}

async function countTokens(trx: Transaction<Database>, feedId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('feed_token')
    .where('feed_id', '=', feedId)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether there was one. */
async function revokeLive(trx: Transaction<Database>, feedId: string, form: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('feed_token')
    .set({ revoked_at: at })
    .where('feed_id', '=', feedId)
    .where('form', '=', form)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type FeedForm = (typeof FEED_FORMS)[number];

/** The forms in which a feed has secret URLs, by the end of the URL. */
export const isFeedForm = (text: string): text is FeedForm => (FEED_FORMS as readonly string[]).includes(text);

/* The secret in the URL of a feed or of an export: 256 random bits as 43 characters. It is shown once; the store has its digest. */

interface NewToken {
  token: string;
  digest: Buffer;
  last4: string;
}

export function createToken(random: (size: number) => Uint8Array = randomBytes): NewToken {
  const token = Buffer.from(random(TOKEN_BYTES)).toString('base64url');
  return { token, digest: digestOf(token), last4: token.slice(-4) };
}

export const isToken = (text: string): boolean => TOKEN.test(text);
export const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer');

interface TokenLimiter {
  perMinute: number;
  /** 0: counted; else whole seconds (≥ 1) to wait. A refused request is not counted. */
  take(token: string): number;
  /** As `take`, for an address that asked with a token that nobody has. */
  failed(address: string): number;
}

/** `monotonic`: milliseconds. */
export function createTokenLimiter(monotonic: Clock): TokenLimiter {
  const tokens = createMinuteWindows({ perMinute: PER_MINUTE, maxWatched: MAX_WATCHED });
  const unknownKeyLimiter = createUnknownKeyLimiter(monotonic);
  let releasedAt = monotonic();
  return {
    perMinute: PER_MINUTE,
    take(token) {
      const now = monotonic();
      if (now - releasedAt > MINUTE_MS) {
        tokens.releaseIdle(now * US_PER_MS);
        unknownKeyLimiter.releaseIdle();
        releasedAt = now;
      }
      const window = tokens.of(token, Math.round(now * US_PER_MS));
      if (window.wait === 0) window.add();
      return Math.ceil(window.wait / US_PER_SECOND);
    },
    failed: unknownKeyLimiter.failed,
  };
}

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Decisions §6, "Tokened URLs". */
const PER_MINUTE = 120;
const MAX_WATCHED = 20_000;
const MINUTE_MS = 60_000;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
const FEED_FORMS = ['ics', 'rss', 'atom', 'feed.json', 'json', 'geojson', 'csv', 'ndjson', 'jsonld'] as const;
/** Of one feed, revoked ones included: nobody fills the store by rotating. */
const MAX_TOKENS = 1_000;

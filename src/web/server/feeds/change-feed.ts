/** What the forms of the feed pages ask for, done. */

import type { FeedReason, RenewedUrl } from '../../../feeds/index.ts';
import { readSavedQuery } from '../../../query/index.ts';
import type { Refusal } from '../../../values/refusal.ts';
import type { FeedDraft } from '../../model/feeds.ts';
import { refusal, unknownForm } from '../refusal.ts';
import { draftFeed, type OwnFeeds } from './own-feeds.ts';

export type FeedOutcome =
  | { kind: 'saved'; id: string }
  | { kind: 'removed' }
  | { kind: 'revoked'; form: string }
  /** The whole URL, in this one answer. */
  | { kind: 'shown'; url: string; form: string; isRotated: boolean }
  | RefusedFeedForm;

export interface RefusedFeedForm {
  kind: 'refused';
  intent: string;
  draft: FeedDraft;
  /** By field; `form` is about the whole. */
  errors: Record<string, string>;
}

/** `feedId`: null for a new one. Throws 404 for a feed that is not the account's, 400 for a form of no page. */
export async function changeFeed(own: OwnFeeds, form: FormData, feedId: string | null): Promise<FeedOutcome> {
  const sent = { own, form, intent: readText(form, 'intent') };
  if (sent.intent === 'save') return saveFeed(sent, feedId);
  const act = Object.hasOwn(ACTIONS, sent.intent) ? ACTIONS[sent.intent] : undefined;
  if (feedId === null || !act) throw unknownForm();
  return act(sent, feedId);
}

interface SentForm {
  own: OwnFeeds;
  form: FormData;
  intent: string;
}

const ACTIONS: Readonly<Record<string, (sent: SentForm, feedId: string) => Promise<FeedOutcome>>> = {
  renew: renewUrl,
  revoke: revokeUrl,
  remove: removeFeed,
};

async function saveFeed(sent: SentForm, feedId: string | null): Promise<FeedOutcome> {
  const { owner, feeds, rooms } = sent.own;
  const draft = readDraft(sent);
  const now = rooms.clocks.directory();
  const query = new URLSearchParams(draft.request.query.map(([name, value]): [string, string] => [name, value]));
  const checked = readSavedQuery(query.toString(), { timezone: rooms.search.current().city.timezone, now });
  if (!checked.ok) return refuse(sent, draft.errors);
  const input = { name: draft.name, query: checked.query };
  const saved = await rooms.once(owner.accountId, readText(sent.form, 'token'), () =>
    feedId === null ? feeds.create(owner, input) : feeds.update(owner, feedId, input),
  );
  return saved.ok ? { kind: 'saved', id: saved.feed.id } : answer(sent, saved);
}

async function renewUrl(sent: SentForm, feedId: string): Promise<FeedOutcome> {
  const { owner, urls, rooms } = sent.own;
  const renewed = await rooms.onceShown(owner.accountId, readText(sent.form, 'token'), () =>
    urls.renew(owner, feedId, readText(sent.form, 'form')),
  );
  return renewed.ok ? show(renewed, rooms.publicUrl) : answer(sent, renewed);
}

async function revokeUrl(sent: SentForm, feedId: string): Promise<FeedOutcome> {
  const form = readText(sent.form, 'form');
  const revoked = await sent.own.urls.revoke(sent.own.owner, feedId, form);
  // The second revocation finds nothing left to do.
  return revoked.ok || revoked.reason === 'unknown_url' ? { kind: 'revoked', form } : answer(sent, revoked);
}

async function removeFeed(sent: SentForm, feedId: string): Promise<FeedOutcome> {
  const removed = await sent.own.feeds.remove(sent.own.owner, feedId);
  return removed.ok || removed.reason === 'unknown_feed' ? { kind: 'removed' } : answer(sent, removed);
}

function answer(sent: SentForm, { reason, detail }: Refusal<FeedReason>): RefusedFeedForm {
  if (reason === 'unknown_feed') throw refusal(404, 'Feed not found.');
  return refuse(sent, { [reason === 'invalid_name' ? NAME_FIELD : 'form']: detail });
}

function refuse(sent: SentForm, errors: Record<string, string>): RefusedFeedForm {
  return { kind: 'refused', intent: sent.intent, errors, draft: readDraft(sent) };
}

const readDraft = ({ own, form }: SentForm): FeedDraft => draftFeed(form, readText(form, NAME_FIELD), own.rooms);

function readText(form: FormData, field: string): string {
  const value = form.get(field);
  return typeof value === 'string' ? value : '';
}

function show({ path, form, isRotated }: RenewedUrl, publicUrl: string): FeedOutcome {
  return { kind: 'shown', url: publicUrl + path, form, isRotated };
}

/** No parameter of `/events` has this name. */
const NAME_FIELD = 'feed_name';

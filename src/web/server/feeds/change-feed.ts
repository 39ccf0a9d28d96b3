/** What the forms of the feed pages ask for, done. */

import { readSavedQuery } from '../../../api/index.ts';
import type { FeedRefusal, RenewedUrl } from '../../../feeds/index.ts';
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
  const { owner, feeds, urls, rooms } = own;
  const read = (field: string): string => {
    const value = form.get(field);
    return typeof value === 'string' ? value : '';
  };
  const intent = read('intent');
  const refused = (errors: Record<string, string>): RefusedFeedForm => ({
    ...{ kind: 'refused', intent, errors },
    draft: draftFeed(form, read(NAME_FIELD), rooms),
  });
  const answer = ({ reason, detail }: FeedRefusal): RefusedFeedForm => {
    if (reason === 'unknown_feed') throw refusal(404, 'Feed not found.');
    return refused({ [reason === 'invalid_name' ? NAME_FIELD : 'form']: detail });
  };

  if (intent === 'save') {
    const draft = draftFeed(form, read(NAME_FIELD), rooms);
    const now = rooms.clocks.directory();
    const query = new URLSearchParams(draft.request.query.map(([name, value]): [string, string] => [name, value]));
    const checked = readSavedQuery(query.toString(), { timezone: rooms.search.current().city.timezone, now });
    if (!checked.ok) return refused(draft.errors);
    const input = { name: draft.name, query: checked.query };
    const saved = await rooms.once(owner.accountId, read('token'), () =>
      feedId === null ? feeds.create(owner, input) : feeds.update(owner, feedId, input),
    );
    return saved.ok ? { kind: 'saved', id: saved.feed.id } : answer(saved);
  }
  if (feedId === null) throw unknownForm();
  if (intent === 'renew') {
    const renewed = await rooms.onceShown(owner.accountId, read('token'), () => urls.renew(owner, feedId, read('form')));
    return renewed.ok ? show(renewed, rooms.publicUrl) : answer(renewed);
  }
  if (intent === 'revoke') {
    const revoked = await urls.revoke(owner, feedId, read('form'));
    // Whoever revokes twice wants what is already so.
    return revoked.ok || revoked.reason === 'unknown_url' ? { kind: 'revoked', form: read('form') } : answer(revoked);
  }
  if (intent === 'remove') {
    const removed = await feeds.remove(owner, feedId);
    return removed.ok || removed.reason === 'unknown_feed' ? { kind: 'removed' } : answer(removed);
  }
  throw unknownForm();
}

function show({ path, form, isRotated }: RenewedUrl, publicUrl: string): FeedOutcome {
  return { kind: 'shown', url: publicUrl + path, form, isRotated };
}

/** No parameter of `/events` has this name. */
const NAME_FIELD = 'feed_name';

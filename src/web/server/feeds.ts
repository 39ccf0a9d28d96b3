/** The feeds of an account: what their pages show, and what their forms do. */

import { loadAccountTier } from '../../accounts/index.ts';
import { sampleEvents } from '../../api/index.ts';
import {
  createFeeds,
  createFeedUrls,
  type Feed,
  type FeedOwner,
  type FeedReason,
  type Feeds,
  type FeedUrls,
  type RenewedUrl,
} from '../../feeds/index.ts';
import { readSavedQuery, SAVED_PARAMETERS } from '../../query/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import type { FeedDraft, FeedPreview, PreviewEvent } from '../model/feeds.ts';
import { endpointsOf, requestOf } from '../model/playground/endpoints.ts';
import { fieldsOf, refusal, unknownForm } from './forms.ts';
import type { Rooms } from './rooms.ts';
import { type PageRequest, requireOwner } from './viewer.ts';

interface OwnFeeds {
  owner: FeedOwner;
  feeds: Feeds;
  urls: FeedUrls;
  rooms: Rooms;
  /** Whether the account's plan has feeds. */
  isOpen: boolean;
}

/** Throws the way to the sign-in page when nobody is signed in. */
export async function readOwnFeeds(page: PageRequest): Promise<OwnFeeds> {
  const { owner, rooms: opened } = await requireOwner(page);
  const { db } = opened.store;
  const now = opened.clocks.directory;
  return {
    owner,
    feeds: createFeeds({ db, now }),
    urls: createFeedUrls({ db, now }),
    rooms: opened,
    isOpen: (await loadAccountTier(db, owner.accountId, now())) === 'enterprise',
  };
}

/** Throws 404 for every feed that is not the reader's own. */
export async function requireFeed({ feeds, owner }: OwnFeeds, id: string | undefined): Promise<Feed> {
  const feed = await feeds.find(owner.accountId, id ?? '');
  if (!feed) throw refusal(404, 'Feed not found.');
  return feed;
}

type DraftRooms = Pick<Rooms, 'openApi' | 'search' | 'clocks'>;

/** `given`: fields of a form, or the saved query. */
export function draftFeed(given: URLSearchParams | FormData, name: string, { openApi, search, clocks }: DraftRooms): FeedDraft {
  const document = openApi();
  const endpoint = endpointsOf(document).find(({ path }) => path === '/events');
  if (!endpoint) throw new Error('the OpenAPI document has no /events');
  const filters = { ...endpoint, fields: endpoint.fields.filter((field) => SAVED_PARAMETERS.includes(field.name)) };
  const request = requestOf(filters, document.servers[0]?.url ?? '', given);
  const snapshot = search.current();
  const now = clocks.directory();
  const query = new URLSearchParams(request.query.map(([field, value]): [string, string] => [field, value]));
  const read = readSavedQuery(query.toString(), { timezone: snapshot.city.timezone, now });
  const errors = Object.fromEntries(read.ok ? [] : read.errors.map((error) => [error.name, sentence(error.detail)]));
  const text = read.ok ? sampleEvents(`${read.query}&limit=${PREVIEWED}&fields=${PREVIEW_FIELDS}`, snapshot, now) : null;
  return { name, endpoint: filters, request, errors, preview: text === null ? null : previewOf(text) };
}

function previewOf(text: string): FeedPreview {
  const { data, meta } = JSON.parse(text) as { data: PreviewEvent[]; meta: { total: number } };
  const events = data.map(({ id, title, slug, startDatetime, startPrecision, venue }) => ({
    id,
    title,
    slug,
    startDatetime,
    startPrecision,
    venue: { name: venue.name },
  }));
  return { total: meta.total, events };
}

const sentence = (detail: string): string => `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`;

type FeedOutcome =
  | { kind: 'saved'; id: string }
  | { kind: 'removed' }
  | { kind: 'revoked'; form: string }
  /** The whole URL, in this one answer. */
  | { kind: 'shown'; url: string; form: string; isRotated: boolean }
  | RefusedFeedForm;

interface RefusedFeedForm {
  kind: 'refused';
  intent: string;
  draft: FeedDraft;
  /** By field; `form` is about the whole. */
  errors: Record<string, string>;
}

/** `feedId`: null for a new one. Throws 404 for a feed that is not the account's, 400 for a form of no page. */
export async function changeFeed(own: OwnFeeds, form: FormData, feedId: string | null): Promise<FeedOutcome> {
  const sent = { own, form, read: fieldsOf(form) };
  const intent = sent.read('intent');
  if (intent === 'save') return saveFeed(sent, feedId);
  const act = Object.hasOwn(ACTIONS, intent) ? ACTIONS[intent] : undefined;
  if (feedId === null || !act) throw unknownForm();
  return act(sent, feedId);
}

interface SentForm {
  own: OwnFeeds;
  form: FormData;
  /** A field of the form. */
  read(field: string): string;
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
  const saved = await rooms.once(owner.accountId, sent.read('token'), () =>
    feedId === null ? feeds.create(owner, input) : feeds.update(owner, feedId, input),
  );
  return saved.ok ? { kind: 'saved', id: saved.feed.id } : answer(sent, saved);
}

async function renewUrl(sent: SentForm, feedId: string): Promise<FeedOutcome> {
  const { owner, urls, rooms } = sent.own;
  const renewed = await rooms.onceShown(owner.accountId, sent.read('token'), () => urls.renew(owner, feedId, sent.read('form')));
  return renewed.ok ? show(renewed, rooms.publicUrl) : answer(sent, renewed);
}

async function revokeUrl(sent: SentForm, feedId: string): Promise<FeedOutcome> {
  const form = sent.read('form');
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
  return { kind: 'refused', intent: sent.read('intent'), errors, draft: readDraft(sent) };
}

const readDraft = ({ own, form, read }: SentForm): FeedDraft => draftFeed(form, read(NAME_FIELD), own.rooms);

function show({ path, form, isRotated }: RenewedUrl, publicUrl: string): FeedOutcome {
  return { kind: 'shown', url: publicUrl + path, form, isRotated };
}

const PREVIEWED = 5;
const PREVIEW_FIELDS = 'title,slug,startDatetime,startPrecision,venue';
/** No parameter of `/events` has this name. */
const NAME_FIELD = 'feed_name';

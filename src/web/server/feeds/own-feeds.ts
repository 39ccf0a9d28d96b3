/** What the pages of feeds need, for the account of the reader. */

import { loadAccountTier } from '../../../accounts/index.ts';
import { sampleEvents } from '../../../api/index.ts';
import { createFeeds, createFeedUrls, type Feed, type FeedOwner, type Feeds, type FeedUrls } from '../../../feeds/index.ts';
import { readSavedQuery, SAVED_PARAMETERS } from '../../../query/index.ts';
import type { FeedDraft, FeedPreview, PreviewEvent } from '../../model/feeds.ts';
import { endpointsOf, requestOf } from '../../model/playground/endpoints.ts';
import { refusal } from '../refusal.ts';
import { type Rooms, requestFacts, rooms } from '../rooms.ts';
import { type PageRequest, requireViewer } from '../viewer.ts';

export interface OwnFeeds {
  owner: FeedOwner;
  feeds: Feeds;
  urls: FeedUrls;
  rooms: Rooms;
  /** Whether the account's plan has feeds. */
  isOpen: boolean;
}

/** Throws the way to the sign-in page when nobody is signed in. */
export async function readOwnFeeds(page: PageRequest): Promise<OwnFeeds> {
  const { accountId, email } = await requireViewer(page);
  const opened = page.context.get(rooms);
  const { address } = page.context.get(requestFacts);
  const { db } = opened.store;
  const now = opened.clocks.directory;
  return {
    owner: { accountId, actor: { id: accountId, name: email }, address },
    feeds: createFeeds({ db, now }),
    urls: createFeedUrls({ db, now }),
    rooms: opened,
    isOpen: (await loadAccountTier(db, accountId, now())) === 'enterprise',
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

const PREVIEWED = 5;
const PREVIEW_FIELDS = 'title,slug,startDatetime,startPrecision,venue';

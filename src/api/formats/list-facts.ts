/** What the documents of a list say of the list as a whole, and the tag that stands for all they depend on. */

import { hash } from 'node:crypto';
import type { ListFacts } from '../../feeds/index.ts';
import { pageUrls } from '../../http/index.ts';
import type { Snapshot } from '../../search/index.ts';
import { type Ask, writeMeta } from '../route.ts';

interface AskedPage {
  /** Absolute, without a query. */
  address: string;
  /** `events` or `venues`. */
  noun: string;
  total: number;
  limit: number;
  offset: number;
  returned: number;
  /** When the newest of the records changed, milliseconds. */
  updatedAt: number;
}

export function listFacts(
  { snapshot, publicUrl, sent }: Pick<Ask, 'snapshot' | 'publicUrl' | 'sent'>,
  page: AskedPage,
): ListFacts {
  const { address, noun, total, limit, returned, updatedAt } = page;
  const { name, locale, timezone, currency } = snapshot.city;
  const query = sent.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
  return {
    title: `${noun === 'events' ? 'Events' : 'Venues'} in ${name}`,
    description: `Part of the list of ${noun} in ${name}.`,
    selfUrl: query === '' ? address : `${address}?${query}`,
    homeUrl: `${publicUrl}/`,
    language: locale,
    timezone,
    currency,
    updatedAt,
    total,
    maxRecords: limit,
    pages: pageUrls(address, sent, page),
    meta: `${writeMeta(page, returned)}}`.slice('"meta":'.length),
  };
}

/** `tag` of the page. Whatever else is in the bytes is in the digest: the facts, and what a page's tag leaves out of its events. */
export function formTag(tag: string, facts: ListFacts, snapshot: Snapshot, events: readonly number[] = []): string {
  const lifecycles = events.map((item) => Object.values(snapshot.lifecycle(item)).join());
  return `${tag}-${hash('sha1', JSON.stringify([facts, lifecycles]), 'base64url')}`;
}

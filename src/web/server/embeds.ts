/** What the pages of embeds need and do, for the account of the reader. */

import { createEmbeds, type Embed, type EmbedOwner, type EmbedReason, type Embeds } from '../../embeds/index.ts';
import { readSavedQuery } from '../../query/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import type { EmbedDraft } from '../model/feeds.ts';
import { draftFeed } from './feeds.ts';
import { fieldsOf, refusal, unknownForm } from './forms.ts';
import type { Rooms } from './rooms.ts';
import { type PageRequest, requireOwner } from './viewer.ts';

export interface OwnEmbeds {
  owner: EmbedOwner;
  embeds: Embeds;
  rooms: Rooms;
}

export type EmbedOutcome =
  | { kind: 'saved'; id: string }
  | { kind: 'removed' }
  | { kind: 'refused'; draft: EmbedDraft; errors: Record<string, string> };

/** Throws the way to the sign-in page when nobody is signed in. */
export async function readOwnEmbeds(page: PageRequest): Promise<OwnEmbeds> {
  const { owner, rooms: opened } = await requireOwner(page);
  return { owner, rooms: opened, embeds: createEmbeds({ db: opened.store.db, now: opened.clocks.directory }) };
}

/** Throws 404 for every embed that is not the reader's own. */
export async function requireEmbed({ embeds, owner }: OwnEmbeds, id: string | undefined): Promise<Embed> {
  const embed = await embeds.find(owner.accountId, id ?? '');
  if (!embed) throw refusal(404, 'Embed not found.');
  return embed;
}

/** `given`: fields of a form. */
export function draftEmbed(given: URLSearchParams | FormData, own: OwnEmbeds): EmbedDraft {
  const draft = draftFeed(given, fieldsOf(given)('feed_name'), own.rooms);
  return { ...draft, layout: fieldsOf(given)('layout') || 'list', origins: fieldsOf(given)('origins') };
}

/** `id`: null for a new one. Throws 404 for an embed that is not the account's, 400 for a form of no page. */
export async function changeEmbed(own: OwnEmbeds, form: FormData, id: string | null): Promise<EmbedOutcome> {
  const intent = fieldsOf(form)('intent');
  if (intent === 'save') return await saveEmbed(own, form, id);
  if (intent !== 'remove' || id === null) throw unknownForm();
  // The second removal finds nothing left to do.
  await own.embeds.remove(own.owner, id);
  return { kind: 'removed' };
}

async function saveEmbed(own: OwnEmbeds, form: FormData, id: string | null): Promise<EmbedOutcome> {
  const { owner, embeds, rooms: opened } = own;
  const draft = draftEmbed(form, own);
  const pairs = draft.request.query.map(([name, value]): [string, string] => [name, value]);
  const { timezone } = opened.search.current().city;
  const checked = readSavedQuery(new URLSearchParams(pairs).toString(), { timezone, now: opened.clocks.directory() });
  if (!checked.ok) return { kind: 'refused', draft, errors: draft.errors };
  const input = { name: draft.name, query: checked.query, layout: draft.layout, origins: draft.origins };
  const saved = await opened.once(owner.accountId, fieldsOf(form)('token'), () =>
    id === null ? embeds.create(owner, input) : embeds.update(owner, id, input),
  );
  if (saved.ok) return { kind: 'saved', id: saved.id };
  if (saved.reason === 'unknown_embed') throw refusal(404, 'Embed not found.');
  return { kind: 'refused', draft, errors: { [fieldOf(saved)]: saved.detail } };
}

const fieldOf = ({ reason }: Refusal<EmbedReason>): string =>
  reason === 'invalid_name' ? 'feed_name' : reason === 'invalid_origin' ? 'origins' : 'form';

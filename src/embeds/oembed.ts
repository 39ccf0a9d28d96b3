/** oEmbed 1.0 (https://oembed.com): what sites show for an address of ours. */

import type { Snapshot } from '../search/index.ts';
import type { Embed } from './embeds.ts';
import { HEIGHT, iframeOf } from './snippets.ts';

export type OembedTarget = { kind: 'embed'; id: string } | { kind: 'event' | 'venue'; slug: string };

/** Null: no address that can be shown. `publicUrl` without a trailing slash. */
export function readOembedTarget(url: string, publicUrl: string): OembedTarget | null {
  const asked = URL.parse(url);
  if (!asked || asked.origin !== new URL(publicUrl).origin) return null;
  const [, kind, name] = /^\/(embed|events|venues)\/([\w-]+)\/?$/.exec(asked.pathname) ?? [];
  if (name === undefined) return null;
  return kind === 'embed' ? { kind, id: name } : { kind: kind === 'events' ? 'event' : 'venue', slug: name };
}

export function describeEmbed(
  embed: Embed,
  city: string,
  publicUrl: string,
  size: { maxWidth: number | null; maxHeight: number | null },
) {
  const width = Math.min(WIDTH, size.maxWidth ?? WIDTH);
  const height = Math.min(HEIGHT, size.maxHeight ?? HEIGHT);
  const html = iframeOf(embed, publicUrl, { width, height });
  return { ...facts(embed.name, city, publicUrl), type: 'rich', html, width, height };
}

/** A link with a title; null for a record that is not published. */
export function describeRecord(kind: 'event' | 'venue', slug: string, snapshot: Snapshot, now: number, publicUrl: string) {
  const item = kind === 'event' ? snapshot.eventBySlug(slug) : snapshot.venueBySlug(slug);
  if (item === null) return null;
  const bytes =
    kind === 'event' ? snapshot.writeEvents([item], 'list', '', '') : snapshot.writeVenues([item], 'list', now, '', '');
  const { title, name, url } = JSON.parse(bytes.toString()) as { title?: string; name?: string; url: string };
  return { ...facts(title ?? name ?? '', snapshot.city.name, publicUrl), type: 'link', url };
}

const facts = (title: string, city: string, publicUrl: string) => ({
  version: '1.0',
  title,
  provider_name: `Events in ${city}`,
  provider_url: publicUrl,
  cache_age: 3600,
});

const WIDTH = 600;

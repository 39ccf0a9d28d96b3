/** What changed in the API and what will go, for the pages and the feed about it. */

import { API_CHANGES, apiChangeAnchor, deprecationAnchor, type OpenApiDocument } from '../../api/index.ts';
import { RSS_TYPE, renderNewsRss } from '../../feeds/index.ts';

export interface DeprecationFacts {
  anchor: string;
  path: string;
  /** Null: the whole endpoint. */
  parameter: string | null;
  announced: string;
  ends: string;
  instead: string;
}

export const readApiChanges = () => API_CHANGES.map((change) => ({ ...change, anchor: apiChangeAnchor(change) }));

/** As the OpenAPI document marks it, once for a list and all its forms; what ends first comes first. */
export function readDeprecations({ paths }: OpenApiDocument): DeprecationFacts[] {
  const facts = Object.entries(paths).flatMap(([path, { get }]): DeprecationFacts[] => {
    const ofEndpoint = get['x-deprecation'];
    const marked = get.parameters.flatMap(({ name, 'x-deprecation': notice }) => {
      return notice && get['x-form-of'] === undefined ? [{ path, parameter: name, ...notice }] : [];
    });
    const all = [...(ofEndpoint ? [{ path, parameter: null, ...ofEndpoint }] : []), ...marked];
    return all.map((each) => ({
      ...each,
      anchor: deprecationAnchor({ path, ...(each.parameter !== null && { parameter: each.parameter }) }),
    }));
  });
  return facts.sort((a, b) => (a.ends < b.ends ? -1 : 1));
}

export function answerApiChangesFeed(publicUrl: string): Response {
  const changes = readApiChanges();
  const rss = renderNewsRss({
    title: 'Marquee API: changelog',
    description: 'What changed for callers of the API.',
    homeUrl: `${publicUrl}/changelog`,
    selfUrl: `${publicUrl}/changelog.rss`,
    updatedAt: Date.parse(changes[0]?.date ?? ''),
    items: changes.map(({ anchor, date, kind, title, text }) => ({
      id: `${publicUrl}/changelog#${anchor}`,
      title: `${title} (${kind})`,
      url: `${publicUrl}/changelog#${anchor}`,
      at: Date.parse(date),
      text: text.replaceAll('`', ''),
    })),
  });
  return new Response(rss, { headers: { 'Content-Type': `${RSS_TYPE}; charset=utf-8`, 'Cache-Control': 'public, max-age=900' } });
}

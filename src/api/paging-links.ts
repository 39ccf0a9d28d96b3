/** The other pages of a list, and its `Link` header (RFC 8288): first, prev, next, last. */

export interface PageBounds {
  total: number;
  limit: number;
  offset: number;
}
export type PageRelation = 'first' | 'prev' | 'next' | 'last';

/**
 * `base`: the list's absolute address without a query. `sent`: the caller's parameters, kept but for `limit` and `offset`.
 * What was ignored is not repeated: it has no part in the answer.
 */
export function pageUrls(
  base: string,
  sent: readonly (readonly [string, string])[],
  { total, limit, offset }: PageBounds,
): Partial<Record<PageRelation, string>> {
  let start = `${base}?`;
  for (const [name, value] of sent) {
    if (name === 'limit' || name === 'offset') continue;
    start += `${name}=${encodeURIComponent(value)}&`;
  }
  start += `limit=${limit}&offset=`;
  const lastOffset = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  return {
    first: `${start}0`,
    // From beyond the end the way back leads to the last page.
    ...(offset > 0 && { prev: `${start}${Math.max(0, Math.min(offset - limit, lastOffset))}` }),
    ...(offset + limit < total && { next: `${start}${offset + limit}` }),
    last: `${start}${lastOffset}`,
  };
}

/** As `pageUrls`. */
export function writePagingLinks(base: string, sent: readonly (readonly [string, string])[], page: PageBounds): string {
  let links = '';
  for (const [rel, url] of Object.entries(pageUrls(base, sent, page))) links += `${links && ', '}<${url}>; rel="${rel}"`;
  return links;
}

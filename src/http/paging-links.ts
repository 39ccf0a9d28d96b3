/** The other pages of a list, and its `Link` header (RFC 8288): first, prev, next, last. */

export interface PageBounds {
  total: number;
  limit: number;
  offset: number;
}
export type PageRelation = 'first' | 'prev' | 'next' | 'last';
type Sent = readonly (readonly [string, string])[];

/**
 * `base`: the list's absolute address without a query. `sent`: the caller's parameters, kept but for `limit` and `offset`.
 * What was ignored is not repeated: it has no part in the answer.
 */
export function writePagingLinks(base: string, sent: Sent, page: PageBounds): string {
  const { prev, next, last } = pageOffsets(page);
  const start = `<${pageStart(base, sent, page)}`;
  let links = `${start}0>; rel="first"`;
  if (prev !== undefined) links += `, ${start}${prev}>; rel="prev"`;
  if (next !== undefined) links += `, ${start}${next}>; rel="next"`;
  return `${links}, ${start}${last}>; rel="last"`;
}

/** The same as addresses. */
export function pageUrls(base: string, sent: Sent, page: PageBounds): Partial<Record<PageRelation, string>> {
  const { prev, next, last } = pageOffsets(page);
  const start = pageStart(base, sent, page);
  return {
    first: `${start}0`,
    ...(prev !== undefined && { prev: start + prev }),
    ...(next !== undefined && { next: start + next }),
    last: start + last,
  };
}

/** All but the offset. */
function pageStart(base: string, sent: Sent, { limit }: PageBounds): string {
  let start = `${base}?`;
  for (const [name, value] of sent) {
    if (name === 'limit' || name === 'offset') continue;
    start += `${name}=${encodeURIComponent(value)}&`;
  }
  return `${start}limit=${limit}&offset=`;
}

function pageOffsets({ total, limit, offset }: PageBounds): { prev: number | undefined; next: number | undefined; last: number } {
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  return {
    // From beyond the end the way back leads to the last page.
    prev: offset > 0 ? Math.max(0, Math.min(offset - limit, last)) : undefined,
    next: offset + limit < total ? offset + limit : undefined,
    last,
  };
}

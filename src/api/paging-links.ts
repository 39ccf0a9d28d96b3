/** The `Link` header of a list (RFC 8288): first, prev, next, last. */

/**
 * `base`: the list's absolute address without a query. `sent`: the caller's parameters, kept but for `limit` and `offset`.
 * What was ignored is not repeated: it has no part in the answer.
 */
export function writePagingLinks(
  base: string,
  sent: readonly (readonly [string, string])[],
  { total, limit, offset }: { total: number; limit: number; offset: number },
): string {
  let start = `<${base}?`;
  for (const [name, value] of sent) {
    if (name === 'limit' || name === 'offset') continue;
    start += `${name}=${encodeURIComponent(value)}&`;
  }
  start += `limit=${limit}&offset=`;
  const lastOffset = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit;
  let links = `${start}0>; rel="first"`;
  // From beyond the end the way back leads to the last page.
  if (offset > 0) links += `, ${start}${Math.max(0, Math.min(offset - limit, lastOffset))}>; rel="prev"`;
  if (offset + limit < total) links += `, ${start}${offset + limit}>; rel="next"`;
  return `${links}, ${start}${lastOffset}>; rel="last"`;
}

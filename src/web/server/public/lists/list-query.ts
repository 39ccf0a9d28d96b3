/** The filters of a list as its address says them, and the question to the API's search that they are. */

import { nearestName, type RecordSearch } from '../../../../query/index.ts';
import type { ListProblem } from '../../../model/lists/list-facts.ts';
import { type ListQuery, without } from '../../../model/lists/list-paths.ts';

/** What was sent: of each name one value, and the names that are no filters of the API. */
export interface SentQuery {
  query: ListQuery;
  own: Readonly<Record<string, string>>;
}

/** `lists`: parameters that a form sends once for each value. A name that is sent again counts as it came last. */
export function readSent(
  params: URLSearchParams,
  { known, own, lists }: { known: ReadonlySet<string>; own: readonly string[]; lists: readonly string[] },
): SentQuery {
  const sent: SentQuery & Record<'query' | 'own', Record<string, string>> = { query: {}, own: {} };
  for (const [name, text] of params) {
    // A bare `free` means true.
    const value = name === 'free' && text === '' ? 'true' : text;
    if (value === '') continue;
    const before = sent.query[name];
    if (own.includes(name)) sent.own[name] = value;
    else if (known.has(name)) sent.query[name] = before !== undefined && lists.includes(name) ? `${before},${value}` : value;
  }
  return sent;
}

/** As the API is asked. */
export const writeQuery = (query: ListQuery): string => new URLSearchParams(query).toString();

/** Asks with all filters; where some are wrong, without them, so that there is a list below what is said about them. */
export function askLeniently(
  query: ListQuery,
  ask: (query: ListQuery) => RecordSearch,
): { found: Extract<RecordSearch, { ok: true }>; query: ListQuery; problems: Omit<ListProblem, 'suggestion'>[] } {
  const problems: Omit<ListProblem, 'suggestion'>[] = [];
  for (let rest = query; ; ) {
    const found = ask(rest);
    if (found.ok) return { found, query: rest, problems };
    problems.push(...found.errors.map(({ name, detail }) => ({ name, value: rest[name] ?? '', detail })));
    const names = found.errors.map(({ name }) => name).filter((name) => name in rest);
    // What is wrong and has no name here is left out with everything else.
    rest = names.length === 0 ? {} : without(rest, ...names);
  }
}

/** A value of a closed set that is near to what was written. */
export function nearestValue(value: string, known: readonly string[]): string | null {
  const word = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return known.find((each) => each === word || `${each}s` === word) ?? nearestName(word, known);
}

/** Where a form leads that sends its empty fields along; null for an address without them. */
export function tidyAddress({ pathname, searchParams }: URL): string | null {
  const sent = [...searchParams];
  const kept = sent.filter(([name, value]) => value !== '' || name === 'free');
  if (kept.length === sent.length) return null;
  const query = new URLSearchParams(kept).toString();
  return query === '' ? pathname : `${pathname}?${query}`;
}

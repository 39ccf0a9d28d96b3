/** Which page of a list, and which of its views, an address asks for. */

import type { ListProblem } from '../../../model/lists/list-facts.ts';
import { EVENT_VIEWS, type EventView, type ListQuery } from '../../../model/lists/list-paths.ts';

/** Names of an address that are no filters. */
export const OWN_NAMES = ['view', 'page', 'month'] as const;

export interface PagePlace {
  view: EventView;
  /** From 1 on. */
  page: number;
  month: string | undefined;
}

/** What cannot be read counts as absent, and is a problem. */
export function readPagePlace(own: Readonly<Record<string, string>>, problems: ListProblem[]): PagePlace {
  const { view = 'list', page = '1', month } = own;
  const found = EVENT_VIEWS.find((each) => each === view);
  if (!found)
    problems.push({ name: 'view', value: view, detail: `view must be one of ${EVENT_VIEWS.join(', ')}`, suggestion: null });
  const isPage = PAGE.test(page);
  if (!isPage) problems.push({ name: 'page', value: page, detail: 'page must be a whole number from 1', suggestion: null });
  return { view: found ?? 'list', page: isPage ? Number(page) : 1, month };
}

/** `limit` and `offset` as the API has them; a page counts from 1 and wins over an offset. */
export function readWindow({ limit, offset }: ListQuery, { page }: Pick<PagePlace, 'page'>): { limit: number; offset: number } {
  const size = Math.min(Number(limit ?? PAGE_SIZE), MAX_PAGE_SIZE);
  return { limit: size, offset: page > 1 ? (page - 1) * size : Number(offset ?? 0) };
}

/** Which page begins at an offset, and how many there are. */
export function pagesOf(total: number, { limit, offset }: { limit: number; offset: number }): { page: number; pages: number } {
  return { page: Math.floor(offset / limit) + 1, pages: Math.max(1, Math.ceil(total / limit)) };
}

/** As many digits as the API takes for an offset. */
const PAGE = /^[1-9][0-9]{0,6}$/;
/** Rows of two, three and four cards are whole. */
const PAGE_SIZE = 24;
/** Of the API. */
const MAX_PAGE_SIZE = 100;

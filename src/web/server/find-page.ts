/** Whether an address is one of a page, before anything is rendered. */

import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';

/** Null: only the page that says so would answer. */
export type PageFinder = (path: string) => FoundPage | null;

export interface FoundPage {
  /** Whether it has forms that post. */
  takesForms: boolean;
}

/** Addresses are exact: React Router alone would forgive upper case and slashes at the end. */
export function createPageFinder(routes: ServerBuild['routes']): PageFinder {
  const known = Object.values(routes).filter((each) => each !== undefined);
  const below = (parent: string | undefined): RouteObject[] =>
    known
      .filter(({ parentId, path }) => parentId === parent && path !== '*')
      .map(({ id, path, index }) => {
        const route = { id, path, caseSensitive: true };
        return (index ? { ...route, index } : { ...route, children: below(id) }) as RouteObject;
      });
  const tree = below(undefined);
  return (asked) => {
    if (asked === MANIFEST) return { takesForms: false };
    const path = asked.replace(DATA, '') || '/';
    if (FORGIVEN.test(path)) return null;
    const matches = matchRoutes(tree, path);
    return matches && { takesForms: matches.some(({ route }) => routes[route.id ?? '']?.module.action !== undefined) };
  };
}

const MANIFEST = '/_manifest';
/** Loaders' data is asked for at the page's address with this ending. */
const DATA = /(?:\/_root)?\.data$/;
/** A double slash, and one at the end of anything but the front page. */
const FORGIVEN = /\/\/|.\/$/;

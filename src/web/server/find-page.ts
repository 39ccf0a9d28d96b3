/** Whether an address is one of a page, before anything is rendered. */

import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';

/** `unknown`: only the page that says so would answer. */
export type PageFinder = (path: string) => 'page' | 'unknown';

export function createPageFinder(routes: ServerBuild['routes']): PageFinder {
  const known = Object.values(routes).filter((each) => each !== undefined);
  const below = (parent: string | undefined): RouteObject[] =>
    known
      .filter(({ parentId, path }) => parentId === parent && path !== '*')
      .map(({ id, path, index }) => (index ? { id, index: true } : { id, path, children: below(id) }) as RouteObject);
  const tree = below(undefined);
  return (path) => {
    if (path === MANIFEST) return 'page';
    return matchRoutes(tree, path.replace(DATA, '') || '/')?.at(-1)?.route.id === undefined ? 'unknown' : 'page';
  };
}

const MANIFEST = '/_manifest';
/** Loaders' data is asked for at the page's address with this ending. */
const DATA = /(?:\/_root)?\.data$/;

import fc from 'fast-check';
import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';
import { describe, expect, test } from 'vitest';
import { createPageFinder } from '#service/web/server/serving/answer-page.ts';

interface Page {
  id: string;
  path?: string;
  index?: true;
  takesForms?: true;
  below?: Page[];
}

const PAGES: Page[] = [
  {
    id: 'root',
    path: '',
    below: [
      {
        id: 'layout',
        below: [
          { id: 'home', index: true },
          { id: 'event', path: 'events/:slug' },
          { id: 'docs', path: 'docs' },
          { id: 'errors', path: 'docs/errors' },
          { id: 'nothing', path: '*' },
        ],
      },
      {
        id: 'desk',
        path: 'desk',
        below: [
          { id: 'overview', index: true, takesForms: true },
          { id: 'merge', path: 'events/merge', takesForms: true },
          { id: 'desk-event', path: 'events/:id' },
          { id: 'part', path: ':list/:id', takesForms: true },
        ],
      },
      { id: 'sign-out', path: 'sign-out', takesForms: true },
    ],
  },
];

describe('whether an address is one of a page', () => {
  const routes = Object.fromEntries(flat(PAGES).map((route) => [route.id, route])) as unknown as ServerBuild['routes'];
  const find = createPageFinder(routes);

  test.each([
    ['/', { takesForms: false }],
    ['/docs/errors', { takesForms: false }],
    ['/events/jazz-night', { takesForms: false }],
    ['/desk', { takesForms: true }],
    ['/desk/events/merge', { takesForms: true }],
    ['/desk/events/7', { takesForms: false }],
    ['/desk/venues/7', { takesForms: true }],
    ['/sign-out.data', { takesForms: true }],
    ['/_root.data', { takesForms: false }],
    ['/d%6Fcs', { takesForms: false }],
    ['/docs/', null],
    ['/Docs', null],
    ['//', null],
    ['/events', null],
    ['/nothing', null],
    ['/%', null],
  ])('%s: %j', (path, page) => {
    const found = find(path);
    expect(found && { takesForms: found.takesForms }).toEqual(page);
  });

  test('says what the table of routes says', () => {
    const tree = (pages: Page[]): RouteObject[] =>
      pages
        .filter(({ path }) => path !== '*')
        .map(({ id, path, index, below = [] }) => {
          const route = { id, path, caseSensitive: true };
          return (index ? { ...route, index } : { ...route, children: tree(below) }) as RouteObject;
        });
    const table = tree(PAGES);
    const forms = new Set(flat(PAGES).flatMap(({ id, module }) => (module.action ? [id] : [])));
    const segment = fc.constantFrom('desk', 'events', 'merge', 'docs', 'errors', 'sign-out', 'x', 'DESK', '%64ocs', 'a.b', ':id');
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), (segments) => {
        const path = `/${segments.join('/')}`;
        const matches = matchRoutes(table, path);
        const found = find(path);
        const wanted = matches && { takesForms: matches.some(({ route }) => forms.has(route.id ?? '')) };
        expect(found && { takesForms: found.takesForms }).toEqual(wanted);
      }),
      { numRuns: 1000 },
    );
  });
});

function flat(pages: readonly Page[], parentId?: string) {
  return pages.flatMap(({ id, path, index, takesForms, below = [] }): ReturnType<typeof route>[] => [
    route(id, parentId, path, index, takesForms),
    ...flat(below, id),
  ]);
}

const route = (id: string, parentId: string | undefined, path: string | undefined, index?: true, takesForms?: true) => ({
  id,
  parentId,
  path,
  index,
  module: takesForms ? { action: () => null } : ({} as { action?: () => null }),
});

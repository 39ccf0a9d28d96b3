/** What the server knows of the routes of the app, and adds to them: which address is a page, and `Retry-After` on the page that answers a form. */

import type { HeadersArgs, ServerBuild } from 'react-router';

/** Null: only the page that says so would answer. */
export type PageFinder = (path: string) => PageMatch | null;

export interface PageMatch {
  /** Whether it has forms that post. */
  takesForms: boolean;
}

/**
 * Addresses are exact: React Router would forgive upper case and slashes at the end. Its own `matchRoutes` makes its table of routes
 * anew each time, a twentieth of what a page costs.
 */
export function createPageFinder(routes: ServerBuild['routes']): PageFinder {
  const known = Object.values(routes).filter((route) => route !== undefined);
  const chainOf = (id: string | undefined): typeof known => {
    const route = id === undefined ? undefined : routes[id];
    return route ? [...chainOf(route.parentId), route] : [];
  };
  const pages = known
    .filter(({ path, index }) => (path !== undefined || index) && path !== '*')
    .map(({ id }) => {
      const chain = chainOf(id);
      const segments = chain.flatMap(({ path = '' }) => path.split('/').filter(Boolean));
      return { segments, takesForms: chain.some(({ module }) => module.action !== undefined) };
    })
    // A name before a parameter; and a page before the layout around it, which has the same address.
    .toSorted((a, b) => blanks(a.segments) - blanks(b.segments) || Number(b.takesForms) - Number(a.takesForms));
  return (asked) => {
    if (asked === MANIFEST) return { takesForms: false };
    const path = asked.replace(DATA, '') || '/';
    if (FORGIVEN.test(path)) return null;
    const given = path.split('/').slice(1).map(decoded);
    const names = path === '/' ? [] : given;
    const isAt = (segments: string[]) =>
      segments.length === names.length && segments.every((segment, at) => isBlank(segment) || segment === names[at]);
    return pages.find(({ segments }) => isAt(segments)) ?? null;
  };
}

const isBlank = (segment: string): boolean => segment.startsWith(':');
const blanks = (segments: readonly string[]): number => segments.filter(isBlank).length;

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The same build, in which every route passes `Retry-After` on. */
export function withRetryAfter(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const own = route.module.headers;
    const headers = (args: HeadersArgs): Headers => {
      const passed = new Headers(typeof own === 'function' ? own(args) : (own ?? args.parentHeaders));
      const seconds = args.errorHeaders?.get(NAME) ?? args.actionHeaders.get(NAME) ?? args.loaderHeaders.get(NAME);
      if (seconds) passed.set(NAME, seconds);
      return passed;
    };
    return [id, { ...route, module: { ...route.module, headers } }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

const MANIFEST = '/_manifest';
/** Loaders' data is asked for at the page's address with this ending. */
const DATA = /(?:\/_root)?\.data$/;
/** A double slash, and one at the end of anything but the front page. */
const FORGIVEN = /\/\/|.\/$/;
const NAME = 'Retry-After';

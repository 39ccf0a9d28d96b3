/** Pages that carry no script: the same facts give the same bytes, so they are rendered once and kept. */

import { hash } from 'node:crypto';
import type { EntryContext } from 'react-router';

export interface StaticPages {
  /** The name of what this page shows; null for a page with scripts, or one that is no plain success. */
  nameOf(request: Request, page: EntryContext): string | null;
  get(name: string): Buffer<ArrayBuffer> | undefined;
  keep(name: string, html: Buffer<ArrayBuffer>): void;
}

export function createStaticPages(): StaticPages {
  const kept = new Map<string, Buffer<ArrayBuffer>>();
  return {
    nameOf(request, { routeModules, staticHandlerContext }) {
      const { matches, loaderData, errors, statusCode } = staticHandlerContext;
      const handles = matches.map(({ route }) => routeModules[route.id]?.handle as Handle | undefined);
      const isStatic = handles.some((handle) => handle?.isStatic === true);
      const isFresh = handles.some((handle) => handle?.isFresh === true);
      if (!isStatic || isFresh || errors || statusCode !== 200) return null;
      // Whatever a page shows it has from its address and its loaders, who reads it included.
      return hash('sha256', `${request.url}\n${JSON.stringify(loaderData)}`, 'base64url');
    },
    get: (name) => kept.get(name),
    keep(name, html) {
      kept.delete(name);
      kept.set(name, html);
      if (kept.size <= MAX_KEPT) return;
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    },
  };
}

interface Handle {
  isStatic?: boolean;
  /** It has no script, but shows something new each time: it is not kept. */
  isFresh?: boolean;
}

/** Some megabytes at most: the largest page is the reference. */
const MAX_KEPT = 50;

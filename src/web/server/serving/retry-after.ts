/** `Retry-After` on the page that answers a form: React Router drops headers of an action unless its route passes them on. */

import type { HeadersArgs, ServerBuild } from 'react-router';

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

const NAME = 'Retry-After';

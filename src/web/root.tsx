import displayFont from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import textFont from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url';
import type { ReactNode } from 'react';
import {
  isRouteErrorResponse,
  Links,
  type LoaderFunctionArgs,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteError,
} from 'react-router';
import icon from './design/icon.svg?url';
import { RouteAnnouncer } from './design/route-announcer.tsx';
import './design/styles/design.css';
import { Shell } from './design/shell.tsx';
import { useRoot } from './design/use-root.ts';
import { readRoot } from './server/read-root.ts';

export const loader = (page: LoaderFunctionArgs) => readRoot(page);

export const links = () => [
  { rel: 'preload', href: displayFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' as const },
  { rel: 'preload', href: textFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' as const },
  { rel: 'icon', href: icon, type: 'image/svg+xml' },
];

/** A page that needs no script says `export const handle = { isStatic: true }`, and gets none. */
interface Handle {
  isStatic?: boolean;
}

export function Layout({ children }: { children: ReactNode }) {
  const root = useRoot();
  const isStatic = useMatches().some(({ handle }) => (handle as Handle | undefined)?.isStatic === true);
  // Where scripts run already, they stay: the reader came from another page.
  const isStill = isStatic && typeof document === 'undefined';
  return (
    <html lang="en" data-theme={root?.theme ?? 'auto'}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links />
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to content
        </a>
        {children}
        {isStill ? null : (
          <>
            <RouteAnnouncer />
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** A page that is not there, one that is closed to this reader, or one that broke. */
export function ErrorBoundary() {
  const error = useRouteError();
  const { pathname } = useLocation();
  const { title, text } = describe(error, pathname);
  return (
    <Shell>
      <title>{`${title} · Marquee`}</title>
      <section className="column gap stack">
        <div className="no-show">
          <p className="no-show-number">{isRouteErrorResponse(error) ? error.status : 500}</p>
          <h1>{title}</h1>
        </div>
        <p className="lead">{text}</p>
        <p className="cluster">
          <a className="button primary" href="/">
            Go to the homepage
          </a>
          <a className="button" href="/docs">
            Open the API reference
          </a>
        </p>
      </section>
    </Shell>
  );
}

/** By the address alone: it does not reveal whether others see a page there. */
function describe(error: unknown, pathname: string): { title: string; text: string } {
  if (!isRouteErrorResponse(error)) return BROKEN;
  if (error.status === 404) {
    const [, kind] = RECORD_PAGE.exec(pathname) ?? [];
    return (kind && MISSING_RECORDS[kind]) || { title: 'Page not found', text: 'Check the address. The page may have moved.' };
  }
  if (error.status === 410) return { title: 'No longer in the directory', text: 'This page was removed.' };
  if (error.status === 503) {
    return {
      title: 'This page is unavailable right now',
      text: 'The database is not responding. The API and the public pages still work. Try again in a few seconds.',
    };
  }
  if (error.status >= 500) return BROKEN;
  if (error.status === 405) return { title: 'This page does not accept forms', text: 'Go back, reload the page and try again.' };
  return { title: 'Request rejected', text: typeof error.data === 'string' && error.data ? error.data : error.statusText };
}

/** Also behind the mark of an address that leads nowhere. */
const RECORD_PAGE = /^(?:\/~)?\/(events|venues)\/[^/]+$/;
const MISSING_RECORDS: Readonly<Record<string, { title: string; text: string }>> = {
  events: {
    title: 'Event not found',
    text: 'The directory has no event at this address. Check the address, or look for the event on the homepage.',
  },
  venues: {
    title: 'Venue not found',
    text: 'The directory has no venue at this address. Check the address, or look for its events on the homepage.',
  },
};
const BROKEN = { title: 'Something went wrong on our side', text: 'The error was logged. Try again in a moment.' };

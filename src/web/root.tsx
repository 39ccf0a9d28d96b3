import displayFont from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import textFont from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url';
import { type ReactNode, useEffect, useRef, useState } from 'react';
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
import './design/styles/design.css';
import { pageLanguage } from './design/catalogues.ts';
import { Shell } from './design/shell.tsx';
import { LanguageContext, useText } from './design/use-language.ts';
import { useRoot } from './design/use-root.ts';
import { addressInLanguage } from './model/choose-language.ts';
import { FALLBACK_LANGUAGE, type MessageKey, type Text } from './model/page-language.ts';
import { readRoot } from './server/root.ts';

export const loader = (page: LoaderFunctionArgs) => readRoot(page);

export const links = () => [
  { rel: 'preload', href: displayFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' as const },
  { rel: 'preload', href: textFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' as const },
  { rel: 'icon', href: '/favicon.ico', sizes: '48x48' },
  { rel: 'icon', href: icon, type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
];

/** A page that needs no script says `export const handle = { isStatic: true }`, and gets none. */
interface Handle {
  isStatic?: boolean;
  /** In the reader's language: see `pages/city-layout.tsx`. */
  isTranslated?: boolean;
}

export function Layout({ children }: { children: ReactNode }) {
  const root = useRoot();
  const handles = useMatches().map(({ handle }) => handle as Handle | undefined);
  const isStatic = handles.some((handle) => handle?.isStatic === true);
  const isTranslated = handles.some((handle) => handle?.isTranslated === true);
  const language = pageLanguage((isTranslated ? root?.language : undefined) ?? FALLBACK_LANGUAGE);
  // Where scripts run already, they stay: the reader came from another page.
  const isStill = isStatic && typeof document === 'undefined';
  return (
    <html lang={language.code} data-language={root?.language} data-theme={root?.theme ?? 'auto'}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links />
        {isTranslated ? <OtherLanguages /> : null}
      </head>
      <body>
        <a className="skip" href="#main">
          {language.text('site.skip')}
        </a>
        <LanguageContext value={isTranslated ? language : null}>{children}</LanguageContext>
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

/** Where search engines find the page in each language (`hreflang`). */
function OtherLanguages() {
  const root = useRoot();
  const error = useRouteError();
  const { pathname, search } = useLocation();
  if (!root || error) return null;
  const address = root.publicUrl + pathname + search;
  return (
    <>
      {root.languages.map(({ code }) => (
        <link key={code} rel="alternate" hrefLang={code} href={addressInLanguage(address, code)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={addressInLanguage(address, null)} />
    </>
  );
}

export default function Root() {
  return <Outlet />;
}

/** A page that is not there, one that is closed to this reader, or one that broke. */
export function ErrorBoundary() {
  const error = useRouteError();
  const { pathname } = useLocation();
  const text = useText();
  const { title, detail } = describe(error, pathname, text);
  return (
    <Shell>
      <title>{`${title} · Marquee`}</title>
      <section className="column gap stack">
        <div className="no-show">
          <p className="no-show-number">{isRouteErrorResponse(error) ? error.status : 500}</p>
          <h1>{title}</h1>
        </div>
        <p className="lead">{detail}</p>
        <p className="cluster">
          <a className="button primary" href="/">
            {text('failure.home')}
          </a>
          <a className="button" href="/docs">
            {text('failure.reference')}
          </a>
        </p>
      </section>
    </Shell>
  );
}

/** By the address alone: it does not reveal whether others see a page there. */
function describe(error: unknown, pathname: string, text: Text): { title: string; detail: string } {
  const pair = (title: MessageKey, detail: MessageKey) => ({ title: text(title), detail: text(detail) });
  const broken = pair('failure.broken', 'failure.brokenText');
  if (!isRouteErrorResponse(error)) return broken;
  if (error.status === 404) {
    const [, kind] = RECORD_PAGE.exec(pathname) ?? [];
    if (kind === 'events') return pair('missing.event', 'missing.eventText');
    if (kind === 'venues') return pair('missing.venue', 'missing.venueText');
    return pair('missing.title', 'missing.text');
  }
  if (error.status === 410) return pair('missing.removed', 'missing.removedText');
  if (error.status === 503) return pair('failure.away', 'failure.awayText');
  if (error.status >= 500) return broken;
  if (error.status === 405) return pair('failure.noForms', 'failure.noFormsText');
  const detail = typeof error.data === 'string' && error.data ? error.data : error.statusText;
  return { title: text('failure.rejected'), detail };
}

/**
 * Another page without a new document: readers who hear the page are told its title, and the focus goes to its heading, where it would
 * be after a load. Moving within a page (another period, another endpoint) leaves the focus where it is.
 */
function RouteAnnouncer() {
  const { pathname, hash } = useLocation();
  const shown = useRef(pathname);
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    setAnnounced(document.title);
    const part = hash ? document.getElementById(hash.slice(1)) : null;
    const target = part ?? document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main');
    if (!target) return;
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [pathname, hash]);
  return (
    <div className="visually-hidden" aria-live="polite" data-arrival>
      {announced}
    </div>
  );
}

/** Also behind the mark of an address that leads nowhere. */
const RECORD_PAGE = /^(?:\/~)?\/(events|venues)\/[^/]+$/;

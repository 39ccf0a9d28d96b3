import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { LanguageChoice } from './language-choice.tsx';
import { ThemeChoice } from './theme-choice.tsx';
import { useIsTranslated, useText } from './use-language.ts';
import { useRoot } from './use-root.ts';

/** Header, page and footer: the frame of every page. */
export function Shell({ children }: { children: ReactNode }) {
  const root = useRoot();
  const text = useText();
  const isTranslated = useIsTranslated();
  const viewer = root?.viewer ?? null;
  const { pathname } = useLocation();
  const isForDevelopers = DEVELOPERS.test(pathname);
  return (
    <>
      <div className="bulbs" aria-hidden="true" />
      <header className="site-head">
        <div className="column">
          <Brand />
          <nav className="site-nav" aria-label={text('site.navigation')}>
            {isForDevelopers ? <DeveloperLinks isReference={/^\/(?:docs|changelog)/.test(pathname)} /> : <CityLinks />}
          </nav>
          <ThemeChoice />
          {viewer ? (
            <span className="cluster own">
              {viewer.isOperator ? (
                <NavLink className="button small plain" to="/desk">
                  {text('site.desk')}
                </NavLink>
              ) : null}
              <NavLink className="button small" to="/dashboard">
                {text('site.dashboard')}
              </NavLink>
            </span>
          ) : (
            <span className="cluster own">
              {isForDevelopers ? (
                <>
                  <Link className="button small plain" to="/sign-in">
                    {text('site.signIn')}
                  </Link>
                  <Link className="button small primary" to="/sign-up">
                    {text('site.getKey')}
                  </Link>
                </>
              ) : (
                <Link className="button small" to="/developers">
                  {text('site.developers')}
                </Link>
              )}
            </span>
          )}
        </div>
      </header>
      <main id="main" className="shell-body" tabIndex={-1}>
        {children}
      </main>
      <footer className="site-foot">
        <div className="column">
          <p>{text('site.slogan', { city: root?.city.name ?? text('site.yourCity') })}</p>
          <nav className="cluster" aria-label={text('site.more')}>
            <Link to="/events">{text('site.events')}</Link>
            <Link to="/venues">{text('site.venues')}</Link>
            <Link to="/neighborhoods">{text('site.neighborhoods')}</Link>
            <Link to="/search">{text('site.searchEvents')}</Link>
            <Link to="/developers">{text('site.developers')}</Link>
            <Link to="/pricing">{text('site.pricing')}</Link>
            <a href="/docs">{text('site.apiReference')}</a>
            <a href="/docs/errors">{text('site.errors')}</a>
            <a href="/openapi.json">OpenAPI</a>
            <a href="/changelog">{text('site.changelog')}</a>
            <a href="/status">{text('service.title')}</a>
            <a href="/data-quality">{text('quality.title')}</a>
          </nav>
          {isTranslated ? <LanguageChoice /> : null}
        </div>
      </footer>
    </>
  );
}

/** Of the pages of the city. */
function CityLinks() {
  const text = useText();
  return (
    <>
      <NavLink to="/events">{text('site.events')}</NavLink>
      <NavLink to="/venues">{text('site.venues')}</NavLink>
      <NavLink to="/neighborhoods">{text('site.neighborhoods')}</NavLink>
    </>
  );
}

function DeveloperLinks({ isReference }: { isReference: boolean }) {
  const text = useText();
  return (
    <>
      <NavLink to="/developers">API</NavLink>
      <NavLink to="/pricing">{text('site.pricing')}</NavLink>
      <NavLink to="/playground">{text('site.playground')}</NavLink>
      <a href="/docs" aria-current={isReference ? 'page' : undefined}>
        {text('site.reference')}
      </a>
    </>
  );
}

function Brand() {
  return (
    <Link to="/" className="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#1a1222" />
        <path d="M6 23V10h4.2l5.8 7.4L21.8 10H26v13h-4.2v-6.8L16 23.2l-5.8-7V23z" fill="#ff8f6d" />
        <g fill="#ffc857">
          {[6, 11, 16, 21, 26].flatMap((x) => [
            <circle key={`${x}a`} cx={x} cy="5.5" r="1.3" />,
            <circle key={`${x}b`} cx={x} cy="27.5" r="1.3" />,
          ])}
        </g>
      </svg>
      Marquee
    </Link>
  );
}

/** Pages for developers; all others are the city's. */
const DEVELOPERS =
  /^\/(?:developers|pricing|playground|docs|changelog|sign-up|sign-in|welcome|check-mail|letters|verify|forgot|reset|dashboard|desk)(?:\/|$)/;

import type { ReactNode } from 'react';
import { Form, Link, NavLink, useLocation } from 'react-router';
import { addressInLanguage } from '../model/choose-language.ts';
import { useIsTranslated, useLanguage, useText } from './use-language.ts';
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
          {root && root.credits.length > 0 ? (
            <p className="small">{text('site.credits', { credits: root.credits.join(' · ') })}</p>
          ) : null}
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

/** A button for each language: a form with and without scripts, because a page has one language from its first byte. */
function LanguageChoice() {
  const { code: current, text } = useLanguage();
  const { pathname, search } = useLocation();
  const languages = useRoot()?.languages ?? [];
  return (
    <Form method="post" action="/language" className="languages" reloadDocument>
      <span className="visually-hidden">{text('site.language')}</span>
      <input type="hidden" name="next" value={addressInLanguage(pathname.replace(NOWHERE, '') + search, null)} />
      {languages.map(({ code, name }) => (
        <button key={code} type="submit" name="language" value={code} lang={code} aria-pressed={code === current}>
          {name}
        </button>
      ))}
    </Form>
  );
}

/** Light, dark, or as the system is set: three small buttons, without scripts a form. */
function ThemeChoice() {
  const chosen = useRoot()?.theme ?? 'auto';
  const { pathname, search } = useLocation();
  const text = useText();
  return (
    <Form method="post" action="/theme" className="theme" preventScrollReset>
      <span className="visually-hidden">{text('site.colors')}</span>
      <input type="hidden" name="next" value={pathname.replace(NOWHERE, '') + search} />
      {CHOICES.map(({ theme, label, path }) => (
        <button
          key={theme}
          type="submit"
          name="theme"
          value={theme}
          aria-pressed={chosen === theme}
          aria-label={text(label)}
          title={text(label)}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round">
            <path d={path} />
          </svg>
        </button>
      ))}
    </Form>
  );
}

/** Pages for developers; all others are the city's. */
const DEVELOPERS =
  /^\/(?:developers|pricing|playground|docs|changelog|sign-up|sign-in|welcome|check-mail|letters|verify|forgot|reset|dashboard|desk)(?:\/|$)/;
/** Where the page of a refusal is rendered (`server/serving/answer-page.ts`): the reader was elsewhere. */
const NOWHERE = /^\/~(?=\/)/;
const CHOICES = [
  {
    theme: 'light',
    label: 'site.light',
    path: 'M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6M8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
  },
  { theme: 'auto', label: 'site.system', path: 'M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 2v12M10.5 3v10M13 5.5v5' },
  { theme: 'dark', label: 'site.dark', path: 'M13.5 9.5A6 6 0 0 1 6.5 2.5A6 6 0 1 0 13.5 9.5' },
] as const;

import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { ThemeChoice } from './theme-choice.tsx';
import { useRoot } from './use-root.ts';

/** Header, page and footer: the frame of every page. */
export function Shell({ children }: { children: ReactNode }) {
  const root = useRoot();
  const viewer = root?.viewer ?? null;
  const isReference = useLocation().pathname.startsWith('/docs');
  return (
    <>
      <div className="bulbs" aria-hidden="true" />
      <header className="site-head">
        <div className="column">
          <Brand />
          <nav className="site-nav" aria-label="Site">
            <NavLink to="/pricing">Pricing</NavLink>
            <NavLink to="/playground">Playground</NavLink>
            <a href="/docs" aria-current={isReference ? 'page' : undefined}>
              Reference
            </a>
          </nav>
          <ThemeChoice />
          {viewer ? (
            <span className="cluster own">
              {viewer.isOperator ? (
                <NavLink className="button small plain" to="/desk">
                  Desk
                </NavLink>
              ) : null}
              <NavLink className="button small" to="/dashboard">
                Dashboard
              </NavLink>
            </span>
          ) : (
            <span className="cluster own">
              <Link className="button small plain" to="/sign-in">
                Sign in
              </Link>
              <Link className="button small primary" to="/sign-up">
                Get a key
              </Link>
            </span>
          )}
        </div>
      </header>
      <main id="main" className="shell-body" tabIndex={-1}>
        {children}
      </main>
      <footer className="site-foot">
        <div className="column">
          <p>Marquee for {root?.city.name ?? 'your city'}: every event, listed once, best first.</p>
          <nav className="cluster" aria-label="More">
            <Link to="/search">Search events</Link>
            <Link to="/pricing">Pricing</Link>
            <a href="/docs">API reference</a>
            <a href="/docs/errors">Errors</a>
            <a href="/openapi.json">OpenAPI</a>
          </nav>
        </div>
      </footer>
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

import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import './reference.css';

/** A page of the reference: its contents beside it, on a phone folded above it. */
export function Reference({
  title,
  contents,
  children,
}: {
  title: string;
  contents: readonly { name: string; entries: readonly { anchor: string; text: string }[] }[];
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  const list = contents.map(({ name, entries }) => (
    <div key={name}>
      <p className="contents-name">{name}</p>
      <ul className="contents-list">
        {entries.map(({ anchor, text }) => (
          <li key={anchor}>
            <a href={`#${anchor}`}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  ));
  return (
    <div className="column reference">
      <title>{`${title} · Marquee`}</title>
      <nav className="contents" aria-label="Contents">
        {list}
      </nav>
      <article className="reference-text">
        <header className="stack tight">
          <p className="eyebrow">Reference</p>
          <h1>{title}</h1>
          <nav className="cluster tabs" aria-label="Reference">
            {PAGES.map(({ to, text }) => (
              <a key={to} className="button small" href={to} aria-current={to === pathname ? 'page' : undefined}>
                {text}
              </a>
            ))}
          </nav>
        </header>
        <details className="contents-folded">
          <summary>Contents</summary>
          <nav aria-label="Contents, folded">{list}</nav>
        </details>
        {children}
      </article>
    </div>
  );
}

const PAGES = [
  { to: '/docs', text: 'Endpoints' },
  { to: '/docs/errors', text: 'Errors' },
  { to: '/docs/webhooks', text: 'Webhooks' },
  { to: '/docs/test-keys', text: 'Test keys' },
  { to: '/changelog', text: 'Changelog' },
  { to: '/docs/deprecation', text: 'Deprecations' },
  { to: '/openapi.json', text: 'openapi.json' },
] as const;

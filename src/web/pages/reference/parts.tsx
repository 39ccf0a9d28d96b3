import type { ReactNode } from 'react';
import '../reference/reference.css';

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
      <details className="contents-folded">
        <summary>Contents</summary>
        <nav aria-label="Contents, folded">{list}</nav>
      </details>
      <article className="reference-text">
        <header className="stack tight">
          <p className="eyebrow">Reference</p>
          <h1>{title}</h1>
          <p className="cluster small">
            <a href="/docs">Endpoints</a>
            <a href="/docs/errors">Errors</a>
            <a href="/openapi.json">openapi.json</a>
          </p>
        </header>
        {children}
      </article>
    </div>
  );
}

/** Text with `code` between backquotes. */
export function Marked({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move
  return text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}

import type { ReactNode } from 'react';

/** A table that scrolls sideways by itself on a narrow screen, reachable by keyboard. */
export function DataTable({
  caption,
  head,
  children,
}: {
  caption: string;
  head: readonly (string | { text: string; number: true })[];
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse (WCAG 2.2, 2.1.1)
    <section className="table-wrap" tabIndex={0} aria-label={caption}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {head.map((cell) => {
              const { text, number } = typeof cell === 'string' ? { text: cell, number: false } : cell;
              return (
                <th key={text} scope="col" className={number ? 'number' : undefined}>
                  {text}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

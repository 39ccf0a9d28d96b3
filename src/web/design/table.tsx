import { Children, cloneElement, isValidElement, type ReactElement, type ReactNode } from 'react';

interface Props {
  caption: string;
  head: readonly (string | { text: string; number: true })[];
  /** On a phone each row becomes a block of its own, its cells below each other with their names. */
  stacks?: boolean;
  className?: string;
  /** `tr` elements. */
  children: ReactNode;
}

/** A table that scrolls sideways by itself on a narrow screen, reachable by keyboard, or becomes a list there. */
export function DataTable({ caption, head, stacks = false, className = '', children }: Props) {
  const cells = head.map((cell) => (typeof cell === 'string' ? { text: cell, number: false } : cell));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse (WCAG 2.2, 2.1.1)
    <section className={`table-wrap ${stacks ? 'stacks' : ''} ${className}`} tabIndex={0} aria-label={caption}>
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {cells.map(({ text, number }) => (
              <th key={text} scope="col" className={number ? 'number' : undefined}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {stacks
            ? withNames(
                children,
                cells.map(({ text }) => text),
              )
            : children}
        </tbody>
      </table>
    </section>
  );
}

type Parent = ReactElement<{ children?: ReactNode }>;

/** Each cell carries the name of its column, for where the head is not seen. */
function withNames(rows: ReactNode, names: readonly string[]): ReactNode {
  return Children.map(rows, (row) =>
    isValidElement(row)
      ? cloneElement(
          row as Parent,
          {},
          Children.toArray((row as Parent).props.children).map((cell, i) =>
            isValidElement(cell) ? cloneElement(cell as Parent, { 'data-name': names[i] } as object) : cell,
          ),
        )
      : row,
  );
}

import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** A row of choices that are links. */
export function Chips({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="chips" aria-label={label}>
      {children}
    </ul>
  );
}

interface ChipProps {
  to: string;
  isOn?: boolean;
  /** How many events it has. */
  count?: string;
  children: ReactNode;
}

export function Chip({ to, isOn = false, count, children }: ChipProps) {
  return (
    <li>
      <Link className="chip" to={to} aria-current={isOn ? 'true' : undefined}>
        {children}
        {count === undefined ? null : <span className="chip-count"> {count}</span>}
      </Link>
    </li>
  );
}

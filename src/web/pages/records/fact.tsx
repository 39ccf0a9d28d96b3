import type { ReactNode } from 'react';

/** A row of what is known, in a `<dl className="facts">`; what is not known has none. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

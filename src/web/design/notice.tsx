import type { ReactNode } from 'react';

/** Something to know, set apart. A bad one is read out at once. */
export function Notice({
  kind = 'plain',
  title,
  children,
}: {
  kind?: 'good' | 'warn' | 'bad' | 'plain';
  title?: string;
  children?: ReactNode;
}) {
  return (
    <div
      className={`notice ${kind}`}
      role={kind === 'bad' ? 'alert' : kind === 'good' ? 'status' : undefined}
      tabIndex={kind === 'bad' ? -1 : undefined}
    >
      {title ? <p className="label">{title}</p> : null}
      {children ? <div>{children}</div> : null}
    </div>
  );
}

export function Badge({ kind = 'plain', children }: { kind?: 'good' | 'warn' | 'bad' | 'plain'; children: ReactNode }) {
  return <span className={`badge ${kind}`}>{children}</span>;
}

/** Nothing here yet: says what would be here and how it comes. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

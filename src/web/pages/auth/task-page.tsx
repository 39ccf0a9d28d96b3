import type { ReactNode } from 'react';
import './auth.css';

/** A page with one thing to do: a heading, a sentence, a form, and where else to go. */
export function TaskPage({
  title,
  lead,
  children,
  foot,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
  foot?: ReactNode;
}) {
  return (
    <section className="column gap door">
      <title>{`${title} · Marquee`}</title>
      <div className="card stack">
        <h1>{title}</h1>
        {lead ? <p className="quiet">{lead}</p> : null}
        {children}
      </div>
      {foot ? <div className="small quiet stack tight">{foot}</div> : null}
    </section>
  );
}

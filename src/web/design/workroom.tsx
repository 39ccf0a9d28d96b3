import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { PostForm, Submit } from './form.tsx';
import { Shell } from './shell.tsx';

export interface Place {
  to: string;
  label: string;
}

/** The frame of the dashboard and of the desk: places beside the page; on a phone above it. */
export function Workroom({
  name,
  places,
  banner,
  children,
}: {
  name: string;
  places: readonly Place[];
  banner?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Shell>
      {banner}
      <div className="column workroom">
        <nav className="places" aria-label={name}>
          {places.map(({ to, label }, i) => (
            <NavLink key={to} to={to} end={i === 0}>
              {label}
            </NavLink>
          ))}
          <PostForm className="leave" action="/sign-out">
            <Submit kind="plain" small>
              Sign out
            </Submit>
          </PostForm>
        </nav>
        <div className="work">{children}</div>
      </div>
    </Shell>
  );
}

/** The head of a page in such a frame: its name, a sentence, and what can be done at once. */
export function PageHead({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <header>
      <title>{`${title} · Marquee`}</title>
      <div className="stack tight">
        <h1>{title}</h1>
        {children ? <p className="quiet">{children}</p> : null}
      </div>
      {actions ? <div className="cluster">{actions}</div> : null}
    </header>
  );
}

import { createContext, type ReactNode, useContext } from 'react';
import { Link, useLocation } from 'react-router';
import { PostForm, Submit } from './forms/form.tsx';
import { Shell } from './shell.tsx';

export interface NavigationItem {
  to: string;
  label: string;
  /** Pages below another address that belong here too. */
  covers?: string;
}

/** The frame of the dashboard and of the desk: places beside the page; on a phone above it. */
export function Workroom({
  name,
  places,
  banner,
  children,
}: {
  name: string;
  places: readonly NavigationItem[];
  banner?: ReactNode;
  children: ReactNode;
}) {
  const { pathname } = useLocation();
  const isBelow = (address: string) => `${pathname}/`.startsWith(`${address}/`);
  return (
    <Area value={name}>
      <Shell>
        {banner}
        <div className="column admin-layout">
          <nav className={places.length > FIT_IN_A_ROW ? 'places many' : 'places'} aria-label={name}>
            {places.map(({ to, label, covers = to }, i) => {
              const isHere = i === 0 ? pathname.replace(/\/$/, '') === to : isBelow(to) || isBelow(covers);
              return (
                <Link key={to} to={to} aria-current={isHere ? 'page' : undefined}>
                  {label}
                </Link>
              );
            })}
            <PostForm className="leave" action="/sign-out">
              <Submit kind="plain" small>
                Sign out
              </Submit>
            </PostForm>
          </nav>
          <div className="work">{children}</div>
        </div>
      </Shell>
    </Area>
  );
}

/** The name of the frame around a page. */
const Area = createContext('');

interface HeadProps {
  title: string;
  /** What it is, where the title alone is somebody's name for it: no two pages have one title. */
  kind?: string;
  children?: ReactNode;
  actions?: ReactNode;
}

/** The head of a page in such a frame: its name, a sentence, and what can be done at once. */
export function PageHead({ title, kind, children, actions }: HeadProps) {
  const area = useContext(Area);
  return (
    <header>
      <title>{[title, kind, area, 'Marquee'].filter(Boolean).join(' · ')}</title>
      <div className="stack tight">
        <h1>{breakable(title)}</h1>
        {children ? <p className="quiet">{children}</p> : null}
      </div>
      {actions ? <div className="cluster">{actions}</div> : null}
    </header>
  );
}

/** An email address is best broken after its sign. */
function breakable(title: string): ReactNode {
  const [name = '', host] = title.split(/(?<=^[^\s@]+@)(?=[^\s@]+$)/);
  return host ? (
    <>
      {name}
      <wbr />
      {host}
    </>
  ) : (
    title
  );
}

/** Of a phone. */
const FIT_IN_A_ROW = 5;

import { Link } from 'react-router';
import { useRoot } from '../use-root.ts';

/** The way to a key: the sign-up page, or the reader's own keys if signed in. */
export function KeyButton({ kind = 'primary', children = 'Get a key' }: { kind?: 'primary' | ''; children?: string }) {
  const isSignedIn = Boolean(useRoot()?.viewer);
  return (
    <Link className={`button ${kind}`} to={isSignedIn ? '/dashboard/keys' : '/sign-up'}>
      {isSignedIn ? 'Your keys' : children}
    </Link>
  );
}

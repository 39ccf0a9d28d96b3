/** What every page shows around itself. */

import type { RouterContextProvider } from 'react-router';
import { rooms } from './rooms.ts';
import { readTheme, type Theme } from './theme.ts';

export interface RootFacts {
  theme: Theme;
  city: { name: string };
  publicUrl: string;
  /** Who is signed in. */
  viewer: { email: string; isOperator: boolean } | null;
}

export function readRoot(request: Request, context: Readonly<RouterContextProvider>): RootFacts {
  const { search, publicUrl } = context.get(rooms);
  return { theme: readTheme(request.headers), city: { name: search.current().city.name }, publicUrl, viewer: null };
}

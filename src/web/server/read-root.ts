/** What every page shows around itself. */

import { requestFacts, rooms } from './rooms.ts';
import { readTheme, type Theme } from './theme.ts';
import { type PageRequest, readViewer } from './viewer.ts';

export interface RootFacts {
  theme: Theme;
  city: { name: string };
  publicUrl: string;
  /** Who is signed in. */
  viewer: { email: string; isOperator: boolean } | null;
}

export async function readRoot(page: PageRequest): Promise<RootFacts> {
  const { request, context } = page;
  const { search, publicUrl } = context.get(rooms);
  const viewer = await readViewer(page).catch((error: unknown) => {
    // A public page needs no database: without one it is shown as to a stranger.
    if (context.get(requestFacts).trouble.isAway) return null;
    throw error;
  });
  return {
    theme: readTheme(request.headers),
    city: { name: search.current().city.name || NO_CITY },
    publicUrl,
    viewer: viewer && { email: viewer.email, isOperator: viewer.isOperator },
  };
}

/** Before a city is imported. */
const NO_CITY = 'your city';

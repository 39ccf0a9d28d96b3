/** What every page shows around itself. */

import type { RootFacts } from '../model/root.ts';
import { readTheme } from '../model/theme.ts';
import { requestFacts, rooms } from './rooms.ts';
import { type PageRequest, readViewer } from './viewer.ts';

export async function readRoot(page: PageRequest): Promise<RootFacts> {
  const { request, context } = page;
  const { search, publicUrl } = context.get(rooms);
  const viewer = await readViewer(page).catch((error: unknown) => {
    // A public page needs no database. Without it, the reader is treated as signed out.
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

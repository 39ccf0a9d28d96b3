/** What every page shows around itself. */

import { languageOfAddress } from '../model/choose-language.ts';
import type { RootFacts } from '../model/root.ts';
import { readTheme } from '../model/theme.ts';
import { LANGUAGE_CODES, languageOf, readLanguage } from './languages.ts';
import { requestFacts, rooms } from './rooms.ts';
import { type PageRequest, readViewer } from './viewer.ts';

export async function readRoot(page: PageRequest): Promise<RootFacts> {
  const { request, context } = page;
  const { search, publicUrl, map, credits } = context.get(rooms);
  const viewer = await readViewer(page).catch((error: unknown) => {
    // A public page needs no database. Without it, the reader is treated as signed out.
    if (context.get(requestFacts).trouble.isAway) return null;
    throw error;
  });
  const { name, locale } = search.current().city;
  const { code, text } = readLanguage(request);
  return {
    theme: readTheme(request.headers),
    city: { name: name || text('site.yourCity'), language: (locale || code).split('-', 1)[0] ?? code },
    credits: await credits(),
    publicUrl,
    map,
    language: code,
    languageOfAddress: languageOfAddress(new URL(request.url).search, LANGUAGE_CODES),
    languages: LANGUAGE_CODES.map((each) => ({ code: each, name: languageOf(each).name })),
    viewer: viewer && { email: viewer.email, isOperator: viewer.isOperator },
  };
}

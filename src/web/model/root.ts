/** What every page shows around itself. */

import type { MapSettings } from './map.ts';
import type { Theme } from './theme.ts';

export interface RootFacts {
  theme: Theme;
  /** `language`: of its sources' texts, as far as known; BCP 47 without region. */
  city: { name: string; language: string };
  /** Whose data the directory shows, a line each. */
  credits: string[];
  publicUrl: string;
  map: MapSettings;
  /** In which the reader gets pages that are translated. */
  language: string;
  /** If the address names it. */
  languageOfAddress: string | null;
  languages: { code: string; name: string }[];
  /** Who is signed in. */
  viewer: { email: string; isOperator: boolean } | null;
}

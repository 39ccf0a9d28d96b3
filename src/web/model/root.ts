/** What every page shows around itself. */

import type { Theme } from './theme.ts';

export interface RootFacts {
  theme: Theme;
  city: { name: string };
  publicUrl: string;
  /** Who is signed in. */
  viewer: { email: string; isOperator: boolean } | null;
}

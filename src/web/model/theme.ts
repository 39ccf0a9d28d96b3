/** Light, dark, or as the reader's system says: remembered in a cookie, so that the first byte of a page knows. */

const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export function readTheme(headers: Headers): Theme {
  const [, word] = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(headers.get('cookie') ?? '') ?? [];
  return (word as Theme | undefined) ?? 'auto';
}

/** A `Set-Cookie` value. Nothing secret is in it. */
export function themeCookie(theme: Theme): string {
  const age = theme === 'auto' ? 0 : A_YEAR_SECONDS;
  return `theme=${theme}; Path=/; Max-Age=${age}; SameSite=Lax`;
}

export const isTheme = (word: unknown): word is Theme => THEMES.includes(word as Theme);

const A_YEAR_SECONDS = 31_536_000;

/** The language of a page: the one that the address names, else the one chosen before, else the one that the browser prefers. */

import { FALLBACK_LANGUAGE } from './page-language.ts';

export interface LanguageSigns {
  /** The query of the address, such as `?lang=de`. */
  search: string;
  /** The `Cookie` header. */
  cookie: string;
  /** The `Accept-Language` header. */
  acceptLanguage: string;
}

/** One of `known`. */
export function chooseLanguage({ search, cookie, acceptLanguage }: LanguageSigns, known: readonly string[]): string {
  return (
    languageOfAddress(search, known) ??
    languageOfCookie(cookie, known) ??
    languageOfBrowser(acceptLanguage, known) ??
    FALLBACK_LANGUAGE
  );
}

/** Null if the address names none that we have. */
export function languageOfAddress(search: string, known: readonly string[]): string | null {
  // Most addresses have no query.
  if (!search.includes(`${LANGUAGE_PARAMETER}=`)) return null;
  return known.find((code) => code === new URLSearchParams(search).get(LANGUAGE_PARAMETER)) ?? null;
}

export function languageOfCookie(cookie: string, known: readonly string[]): string | null {
  const [, named] = COOKIE.exec(cookie) ?? [];
  return known.find((code) => code === named) ?? null;
}

/** RFC 9110 §12.5.4. A region does not matter: `de-AT` is `de`. */
function languageOfBrowser(header: string, known: readonly string[]): string | null {
  const ranges = header
    .slice(0, MAX_HEADER_CHARS)
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice('q='.length);
      return { language: range.split('-', 1)[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { language } of ranges) {
    const found = language === '*' ? FALLBACK_LANGUAGE : known.find((code) => code === language);
    if (found !== undefined) return found;
  }
  return null;
}

/** A `Set-Cookie` value: for a year if the reader chose it, else until the browser is closed. */
export const languageCookie = (code: string, isChosen: boolean): string =>
  `${COOKIE_NAME}=${code}; Path=/; ${isChosen ? `Max-Age=${A_YEAR_SECONDS}; ` : ''}SameSite=Lax`;

/** The address of the same page in a language; null: in that of its reader. */
export function addressInLanguage(address: string, code: string | null): string {
  const [path = '', query = ''] = address.split('?');
  const search = new URLSearchParams(query);
  search.delete(LANGUAGE_PARAMETER);
  if (code !== null) search.set(LANGUAGE_PARAMETER, code);
  return search.size === 0 ? path : `${path}?${search}`;
}

const LANGUAGE_PARAMETER = 'lang';
const COOKIE_NAME = 'language';
const COOKIE = /(?:^|;\s*)language=([\w-]+)(?:;|$)/;
const A_YEAR_SECONDS = 31_536_000;
/** No browser sends more. */
const MAX_HEADER_CHARS = 500;

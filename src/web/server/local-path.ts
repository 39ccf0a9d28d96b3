/** Where a page may send its reader afterwards: never to another site (an open redirect). */

/**
 * `wanted` as a path of this site if a browser resolves it to one, else `fallback`. The decision is about the resolved path: browsers drop
 * tabs and line ends, read `\` as `/`, and remove dot segments (WHATWG URL §4.4), so `/.//evil.example` becomes `//evil.example`, a host.
 */
export function localPath(wanted: string | null, fallback: string): string {
  if (!wanted || wanted.length > MAX_PATH_LENGTH || !PLAIN_PATH.test(wanted)) return fallback;
  const url = URL.parse(wanted, PLACEHOLDER);
  if (url?.origin !== PLACEHOLDER) return fallback;
  const path = url.pathname + url.search + url.hash;
  return URL.parse(path, PLACEHOLDER)?.href === url.href ? path : fallback;
}

const MAX_PATH_LENGTH = 2_000;
/** One slash first, and no character that browsers change or drop. */
const PLAIN_PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;
const PLACEHOLDER = 'http://this.invalid';

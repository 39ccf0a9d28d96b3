/** Where a page may send its reader afterwards: never to another site (an open redirect). */

/**
 * `wanted` when it is a path of this site, else `fallback`. Browsers read `//x`, `/\x` and `https:x` as other hosts, and drop tabs and
 * line ends before they read (WHATWG URL §4.4), so all of these are refused.
 */
export function localPath(wanted: string | null, fallback: string): string {
  if (!wanted || wanted.length > LONGEST_PATH || !/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted) || wanted.includes('\\'))
    return fallback;
  const url = new URL(wanted, PLACEHOLDER);
  return url.origin === PLACEHOLDER ? url.pathname + url.search + url.hash : fallback;
}

const LONGEST_PATH = 2_000;
const PLACEHOLDER = 'http://this.invalid';

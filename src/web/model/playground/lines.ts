/** A request of the API as lines to paste: for a shell, for JavaScript, for Python. Whatever the values hold, they stay values. */

export interface ApiRequest {
  /** Of the API, without a trailing slash. */
  base: string;
  /** Below the base, with `{id}` in the place of the record's id. */
  path: string;
  id: string;
  /** In order; a list is one value with commas. */
  query: readonly (readonly [name: string, value: string])[];
}

/** What is asked for, from `/` on below the base. */
export function targetOf({ path, id, query }: ApiRequest): string {
  const below = path.replace('{id}', () => encode(id));
  return query.length === 0 ? below : `${below}?${query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`;
}

/** POSIX shell (XCU §2.2.2: nothing is special between single quotes). */
export function curlLines(request: ApiRequest): string {
  return `curl -H "X-API-Key: $${KEY_VARIABLE}" \\\n  ${quoteForShell(request.base + targetOf(request))}`;
}

/** Node and every browser; the key comes from the environment. */
export function javascriptLines({ base, path, id, query }: ApiRequest): string {
  const url = quoteForJavaScript(base + path.replace('{id}', () => encode(id)));
  const asked =
    query.length === 0
      ? [`const url = ${url};`]
      : [
          `const query = new URLSearchParams({`,
          ...query.map(([name, value]) => `  ${nameForJavaScript(name)}: ${quoteForJavaScript(value)},`),
          '});',
          `const url = \`${url.slice(1, -1).replace(/`|\$\{/g, '\\$&')}?\${query}\`;`,
        ];
  return [
    ...asked,
    'const answer = await fetch(url, {',
    `  headers: { 'X-API-Key': process.env.${KEY_VARIABLE} },`,
    '});',
    'if (!answer.ok) throw new Error(await answer.text());',
    'const { data } = await answer.json();',
    'console.log(data);',
  ].join('\n');
}

/** Python 3 with `requests`. */
export function pythonLines({ base, path, id, query }: ApiRequest): string {
  return [
    'import os',
    'import requests',
    '',
    'answer = requests.get(',
    `    ${quoteForPython(base + path.replace('{id}', () => encode(id)))},`,
    ...(query.length === 0
      ? []
      : [
          '    params={',
          ...query.map(([name, value]) => `        ${quoteForPython(name)}: ${quoteForPython(value)},`),
          '    },',
        ]),
    `    headers={'X-API-Key': os.environ['${KEY_VARIABLE}']},`,
    '    timeout=10,',
    ')',
    'answer.raise_for_status()',
    "print(answer.json()['data'])",
  ].join('\n');
}

export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function quoteForJavaScript(text: string): string {
  return quote(text, (mark) => Array.from({ length: mark.length }, (_, i) => `\\u${hex(mark.charCodeAt(i), 4)}`).join(''));
}

export function quoteForPython(text: string): string {
  return quote(text, (mark) => `\\U${hex(mark.codePointAt(0) ?? 0, 8)}`);
}

/** `write` has what editors show as line ends or not at all; the rest is kept readable. */
function quote(text: string, write: (mark: string) => string): string {
  const inner = text.toWellFormed().replace(UNSAFE, (mark) => (mark === '\\' || mark === "'" ? `\\${mark}` : write(mark)));
  return `'${inner}'`;
}

const nameForJavaScript = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoteForJavaScript(name));

/** RFC 3986, with commas and colons left as they are: a query may contain both, and lists and times stay readable. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (mark) => `%${hex(mark.charCodeAt(0), 2).toUpperCase()}`)
    .replace(/%2C/g, ',')
    .replace(/%3A/g, ':');
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** The variable that every line reads the key from: no line contains a key. */
export const KEY_VARIABLE = 'MARQUEE_KEY';
const UNSAFE = /[\\'\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

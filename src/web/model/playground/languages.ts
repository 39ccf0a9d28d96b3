/** The lines of a request in each language that the pages offer. */

import { type ApiRequest, curlLines, javascriptLines, KEY_VARIABLE, pythonLines } from './lines.ts';

interface CodeLanguage {
  id: string;
  name: string;
  write(request: ApiRequest): string;
}

export const CODE_LANGUAGES: readonly CodeLanguage[] = [
  { id: 'curl', name: 'curl', write: curlLines },
  { id: 'javascript', name: 'JavaScript', write: javascriptLines },
  { id: 'python', name: 'Python', write: pythonLines },
  { id: 'go', name: 'Go', write: goLines },
  { id: 'php', name: 'PHP', write: phpLines },
  { id: 'ruby', name: 'Ruby', write: rubyLines },
];

interface ExampleRequest extends Omit<ApiRequest, 'base'> {
  title: string;
}

export const EXAMPLE_REQUESTS: readonly ExampleRequest[] = [
  {
    title: 'Concerts of the next seven days',
    path: '/events',
    id: '',
    query: [
      ['when', 'next_7_days'],
      ['category', 'concert'],
      ['limit', '5'],
    ],
  },
  {
    title: 'Free text, as people type it',
    path: '/events',
    id: '',
    query: [
      ['ask', 'free music this weekend'],
      ['limit', '5'],
    ],
  },
  {
    title: 'What is near, the nearest first',
    path: '/events',
    id: '',
    query: [
      ['near', '43.56,-87.845'],
      ['radius', '5000'],
      ['sort', 'distance'],
      ['limit', '5'],
    ],
  },
  {
    title: 'Clubs and bars',
    path: '/venues',
    id: '',
    query: [
      ['type', 'club,bar'],
      ['limit', '5'],
    ],
  },
  {
    title: 'What is on the rise',
    path: '/trending',
    id: '',
    query: [
      ['type', 'events'],
      ['limit', '5'],
    ],
  },
];

export function goLines({ base, path, id, query }: ApiRequest): string {
  const url = quoteForGo(base + pathOf(path, id));
  const hasQuery = query.length > 0;
  return [
    'package main',
    '',
    'import (',
    ...['fmt', 'io', 'log', 'net/http', ...(hasQuery ? ['net/url'] : []), 'os'].map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...(hasQuery ? ['\tquery := url.Values{}'] : []),
    ...query.map(([name, value]) => `\tquery.Set(${quoteForGo(name)}, ${quoteForGo(value)})`),
    `\trequest, err := http.NewRequest("GET", ${url}${hasQuery ? '+"?"+query.Encode()' : ''}, nil)`,
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    `\trequest.Header.Set("X-API-Key", os.Getenv("${KEY_VARIABLE}"))`,
    '\tanswer, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tlog.Fatal(err)',
    '\t}',
    '\tdefer answer.Body.Close()',
    '\tbody, err := io.ReadAll(answer.Body)',
    '\tif err != nil || answer.StatusCode != http.StatusOK {',
    '\t\tlog.Fatal(answer.Status, " ", string(body))',
    '\t}',
    '\tfmt.Println(string(body))',
    '}',
  ].join('\n');
}

export function phpLines({ base, path, id, query }: ApiRequest): string {
  const url = quoteForPhp(base + pathOf(path, id));
  const asked =
    query.length === 0
      ? [`$url = ${url};`]
      : [
          `$url = ${url} . '?' . http_build_query([`,
          ...query.map(([name, value]) => `    ${quoteForPhp(name)} => ${quoteForPhp(value)},`),
          ']);',
        ];
  return [
    '<?php',
    ...asked,
    `$context = stream_context_create(['http' => ['header' => 'X-API-Key: ' . getenv('${KEY_VARIABLE}')]]);`,
    '$answer = file_get_contents($url, false, $context);',
    'if ($answer === false) exit(1);',
    "print_r(json_decode($answer, true)['data']);",
  ].join('\n');
}

export function rubyLines({ base, path, id, query }: ApiRequest): string {
  const asked =
    query.length === 0
      ? []
      : [
          'uri.query = URI.encode_www_form({',
          ...query.map(([name, value]) => `  ${quoteForRuby(name)} => ${quoteForRuby(value)},`),
          '})',
        ];
  return [
    'require "json"',
    'require "net/http"',
    '',
    `uri = URI(${quoteForRuby(base + pathOf(path, id))})`,
    ...asked,
    `answer = Net::HTTP.get_response(uri, "X-API-Key" => ENV.fetch("${KEY_VARIABLE}"))`,
    'abort answer.body unless answer.is_a?(Net::HTTPSuccess)',
    'puts JSON.parse(answer.body)["data"]',
  ].join('\n');
}

export const quoteForGo = (text: string): string => quote(text, /["\\]/, (hex) => `\\U${hex.padStart(8, '0')}`);
export const quoteForPhp = (text: string): string => quote(text, /["\\$]/, (hex) => `\\u{${hex}}`);
export const quoteForRuby = (text: string): string => quote(text, /["\\#]/, (hex) => `\\u{${hex}}`);

/** Between double quotes. `marked` has a backslash before it; what editors do not show is written by its number. */
function quote(text: string, marked: RegExp, write: (hex: string) => string): string {
  const letters = Array.from(text.toWellFormed(), (letter) => {
    if (marked.test(letter)) return `\\${letter}`;
    return HIDDEN.test(letter) ? write((letter.codePointAt(0) ?? 0).toString(16)) : letter;
  });
  return `"${letters.join('')}"`;
}

const pathOf = (path: string, id: string): string => path.replace('{id}', () => encodeURIComponent(id.toWellFormed()));
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

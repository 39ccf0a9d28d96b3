/** Requests at the edge of what HTTP and the API allow, and beyond. The same seed gives the same requests. */

export interface Random {
  /** A whole number below `limit`. */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
  /** True once in so many times. */
  oneIn(times: number): boolean;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, pick: (values) => values[below(values.length)] as never, oneIn: (times) => below(times) === 0 };
}

/** A whole request; most of them are understood. */
export function wildRequest(random: Random, key: string): Buffer {
  const method = random.oneIn(4) ? random.pick(METHODS) : 'GET';
  const pair = () => (random.oneIn(2) ? random.pick(GOOD_PAIRS) : `${random.pick(NAMES)}=${random.pick(VALUES)}`);
  const query = Array.from({ length: random.below(4) }, pair).join('&');
  const target = `${random.pick(PATHS)}${query === '' ? '' : `?${query}`}`;
  const headers = [
    'Host: localhost',
    ...(random.oneIn(5) ? [] : [`X-API-Key: ${random.oneIn(10) ? random.pick(VALUES) : key}`]),
    ...Array.from({ length: random.below(3) }, () => `${random.pick(HEADERS)}: ${random.pick(VALUES)}`),
    ...(random.oneIn(3) ? ['Accept: text/html'] : []),
    ...(random.oneIn(2) ? ['Sec-Fetch-Site: same-origin'] : []),
    ...(random.oneIn(2) ? ['Connection: close'] : []),
  ];
  const body = method === 'GET' ? '' : random.pick(BODIES);
  if (body !== '' || random.oneIn(8)) {
    headers.push(
      `Content-Type: ${random.pick(TYPES)}`,
      `Content-Length: ${random.oneIn(10) ? random.pick(VALUES) : Buffer.byteLength(body)}`,
    );
  }
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
}

/** Bytes are changed, lost, doubled, cut off or put between others. */
export function spoil(random: Random, request: Buffer): Buffer {
  let bytes = request;
  for (let turn = random.below(4); turn >= 0; turn -= 1) {
    const at = random.below(bytes.length);
    const until = Math.min(bytes.length, at + 1 + random.below(20));
    const other = random.oneIn(2) ? Buffer.from(random.pick(PIECES), 'latin1') : Buffer.from([random.below(256)]);
    const piece = random.pick([
      other,
      Buffer.alloc(0),
      bytes.subarray(at, until),
      Buffer.concat([other, bytes.subarray(at, until)]),
    ]);
    bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(random.oneIn(6) ? bytes.length : until)]);
    if (bytes.length === 0) return Buffer.from('\r\n');
  }
  return bytes;
}

const ID = '01900000-0000-7000-8000-000000000001';
const METHODS = ['POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'CONNECT', 'get', 'FOO'];
const PATHS = [
  ...['events', 'venues', 'neighborhoods', 'trending', 'categories', 'usage', 'openapi.json', ''].map(
    (name) => `/api/v1/${name}`,
  ),
  ...[`events/${ID}`, `venues/${ID}`, `venues/${ID}/events`, 'events/NOT-AN-ID', 'events/%00', 'events/..%2f..', 'events//'].map(
    (name) => `/api/v1/${name}`,
  ),
  ...[
    '/',
    '/events',
    '/venues',
    '/neighborhoods',
    '/events.rss',
    '/developers',
    '/pricing',
    '/playground',
    '/docs',
    '/docs/errors',
    '/sign-in',
    '/sign-up',
    '/forgot',
    '/reset',
    '/verify',
    '/theme',
  ],
  ...['/sign-in/code', '/sign-out', '/check-mail', '/letters/0', '/passkeys/options', '/events/nothing', '/venues/%E0%A4%A'],
  ...['/dashboard', '/dashboard/keys', '/dashboard/usage', '/dashboard/usage/live', '/dashboard/usage.csv', '/dashboard/plans'],
  ...['/desk', '/desk/events', '/desk/sources/1', '/desk/accounts/1', '/healthz', '/readyz', '/openapi.json', '/posters/x.svg'],
  ...[
    '/assets/../../../etc/passwd',
    '/assets/%2e%2e/x',
    '//events',
    '/.env',
    '/%',
    '/%ff',
    '*',
    'http://evil.example/',
    '/;a=b',
    '/\\',
  ],
];
const NAMES = [
  ...['limit', 'offset', 'q', 'category', 'free', 'start_date', 'end_date', 'venue_id', 'neighborhood', 'near', 'radius', 'bbox'],
  ...[
    'sort',
    'fields',
    'facets',
    'when',
    'price_max',
    'tags',
    'updated_since',
    'type',
    'next',
    'token',
    'id',
    'days',
    'endpoint',
  ],
  ...['__proto__', 'constructor', 'limit[]', 'limit%5B%5D', '%00', '', 'for', 'cursor', 'email'],
];
const VALUES = [
  ...['', '0', '-1', '1', '20', '101', '1e2', '0x10', '2147483648', '9'.repeat(40), 'NaN', 'null', 'true', '1', 'yes', '%'],
  ...[
    '%zz',
    '%00',
    '%ED%A0%80',
    '%F0%9F%8E%AD',
    'a'.repeat(300),
    'music',
    'jazz%20night',
    '%27%20or%201%3D1--',
    '..%2f..%2f',
    '*',
  ],
  ...[
    'concert',
    'Concert',
    'concert,art',
    '2026-02-30',
    '2026-06-16',
    '2026-06-16T20:00:00+01:00',
    '-73.9,40.7',
    '40.7,-73.9',
    '1,2,3,4',
  ],
  ...[
    ID,
    ID.toUpperCase(),
    `{${ID}}`,
    'harbor',
    '__proto__',
    '[object Object]',
    '//evil.example',
    'javascript:alert(1)',
    'gzip, br',
  ],
  ...[
    'identity;q=0',
    '*/*;q=0',
    'text/html',
    'application/json',
    'W/"x"',
    '"x", "y"',
    'bytes=0-',
    '100-continue',
    'chunked',
    'close, x',
  ],
];
const GOOD_PAIRS = [
  'limit=5',
  'offset=3',
  'q=music',
  'category=concert',
  'free=true',
  'sort=date',
  'type=events',
  'days=30',
  'x=y',
];
const HEADERS = [
  ...[
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'If-None-Match',
    'If-Modified-Since',
    'Range',
    'Expect',
    'Upgrade',
    'Cookie',
  ],
  ...['Origin', 'Connection', 'X-Forwarded-For', 'X-HTTP-Method-Override', 'Authorization'],
  ...[
    'traceparent',
    'Prefer',
    'Referer',
    'X-API-Key',
    'Content-Type',
    'Content-Encoding',
    'Sec-Fetch-Site',
    'Trailer',
    'TE',
    'X-Y',
  ],
];
const TYPES = [
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json',
  'text/plain; charset=utf-16',
  'x',
  'application/json; charset=',
];
const BODIES = [
  '',
  'a=b',
  'email=nobody%40marquee.example&password=wrong+wrong+wrong',
  'email=%00&password=%ff&__proto__=x&constructor[prototype]=y',
  'intent=create&token=x&name=x&plan=free',
  'theme=dark&next=%2F%2Fevil.example',
  '{"a":',
  '{"__proto__":{"x":1}}',
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--',
  '%',
  '\0\0\0',
  'x'.repeat(70_000),
];
const PIECES = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\0',
    ' ',
    '\t',
    ':',
    '%',
    '\xff\xfe',
    'HTTP/1.1',
    'HTTP/2.0',
    'HTTP/1.0',
    '\r\n\r\n',
    ' \r\n',
    '\u0080',
  ],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Content-Length: 5\r\n',
    'Content-Length: 99999999\r\n',
    'Host: a\r\n',
    'X: y\r\n'.repeat(300),
  ],
  ...[
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01',
    'x'.repeat(20_000),
    '5\r\nhello\r\n0\r\n\r\n',
    'Expect: 100-continue\r\n',
  ],
];

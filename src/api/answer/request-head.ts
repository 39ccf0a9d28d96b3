/** The few request headers the API reads, in one pass over what was sent; Node's own map would hide repetitions (RFC 9110 §5.3). */

export interface RequestHead {
  hosts: number;
  /** An array when it came more than once. */
  apiKey: string | string[] | undefined;
  accept: string | undefined;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  prefer: string | undefined;
  /** `X-Marquee-Simulate`. */
  simulate: string | undefined;
  /** Octets of body: as declared, `Infinity` when it comes in chunks, 0 without one. */
  bodyLength: number;
  /** Whether the end of the body can be told: the last transfer coding is `chunked` (RFC 9112 §6.3). */
  framed: boolean;
}

/** `raw` as Node's `rawHeaders`: names and values in turn. */
export function readHead(raw: readonly string[]): RequestHead {
  const head: RequestHead = {
    hosts: 0,
    apiKey: undefined,
    accept: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    prefer: undefined,
    simulate: undefined,
    bodyLength: 0,
    framed: true,
  };
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] as string;
    // The length decides first: most headers are not compared at all.
    if (!READ_LENGTHS.has(name.length)) continue;
    const value = raw[i + 1] as string;
    switch (name.toLowerCase()) {
      case 'host':
        head.hosts++;
        break;
      case 'x-api-key':
        head.apiKey = head.apiKey === undefined ? value : [...[head.apiKey].flat(), value];
        break;
      case 'accept':
        head.accept = join(head.accept, value);
        break;
      case 'accept-encoding':
        head.acceptEncoding = join(head.acceptEncoding, value);
        break;
      case 'if-none-match':
        head.ifNoneMatch = join(head.ifNoneMatch, value);
        break;
      case 'prefer':
        head.prefer = join(head.prefer, value);
        break;
      case 'x-marquee-simulate':
        head.simulate = join(head.simulate, value);
        break;
      case 'content-length':
        head.bodyLength = Math.max(head.bodyLength, Number(value) || 0);
        break;
      case 'transfer-encoding':
        head.bodyLength = Number.POSITIVE_INFINITY;
        head.framed = LAST_IS_CHUNKED.test(value);
        break;
    }
  }
  return head;
}

function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

const LAST_IS_CHUNKED = /(?:^|,)[ \t]*chunked$/i;
const READ_LENGTHS = new Set(
  [
    'host',
    'x-api-key',
    'accept',
    'accept-encoding',
    'if-none-match',
    'prefer',
    'x-marquee-simulate',
    'content-length',
    'transfer-encoding',
  ].map(({ length }) => length),
);

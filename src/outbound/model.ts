/** What is asked of `openOutbound`, and what comes back. */

export interface Outbound {
  /** Never rejects for anything that the other side or the network does. */
  fetch(request: OutboundRequest): Promise<FetchOutcome>;
  /**
   * What `fetch` would say of an address before it asks any name server: for forms, where a person can still fix it. The address comes
   * back as it will be asked.
   */
  checkAddress(url: string): { ok: true; url: string } | { ok: false; code: 'refused_address'; reason: string };
  /** Ends what is under way (`stopped`), and refuses the rest. */
  close(): Promise<void>;
}

export interface OutboundRequest {
  url: string;
  method?: 'GET' | 'POST' | 'DELETE';
  accept?: string;
  /** Such as a key. Not sent on to another host. */
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** Those of the last answer, as they came: with one of them the answer may be `unchanged`. */
  etag?: string | null;
  lastModified?: string | null;
  /** A page made for people: its site's robots.txt is respected. */
  isPage?: boolean;
  /** An API whose refusals are answers too: whatever its status, the body comes back, with the headers. */
  isApi?: boolean;
  /** The status counts whatever the body is: what can be read of it is kept, up to the limit. */
  anyBody?: boolean;
  /**
   * Waited for before each request that this one takes: robots.txt, the page, and where it redirects. It may abort `signal`; its time is no
   * fault of the host. `crawlDelayMs`: what robots.txt asks for between two requests, as far as it is known; else 0.
   */
  beforeHop?: (host: string, crawlDelayMs: number) => Promise<void>;
  signal?: AbortSignal;
  /** Whether what the operator's list opens may be reached: false for an address that a stranger's page names. Default: true. */
  mayUseList?: boolean;
}

export type FetchOutcome =
  | {
      ok: true;
      /** 200–299, unless it is an API. */
      status: number;
      /** Of what answered in the end. */
      url: string;
      body: Uint8Array;
      contentType: string | null;
      etag: string | null;
      lastModified: string | null;
      /** Of an API alone; names in lower case. */
      headers?: Readonly<Record<string, string>>;
      /** Of an API alone: how long it asks to be left alone; at most a day. */
      retryAfterMs?: number | null;
      /** Where any body would do: why this one is not whole, as one sentence like `detail`. */
      bodyFault?: string;
      /** The operator's list names what answered, and the request was free to use it. */
      isListed?: true;
    }
  | { ok: 'unchanged' }
  | {
      ok: false;
      code: OutboundCode;
      /** Where there was an answer. */
      status?: number;
      /** How long the other side asks to be left alone; at most a day. */
      retryAfterMs: number | null;
      /** One sentence without paths, queries, keys or anything of the answer's body. */
      detail: string;
    };

/** docs/outbound.md tells what each means. */
export const OUTBOUND_CODES = [
  'refused_address',
  'unresolvable',
  'unreachable',
  'tls',
  'timeout',
  'too_large',
  'encoding',
  'not_http',
  'redirects',
  'status',
  'robots',
  'bad_request',
  'stopped',
] as const;
export type OutboundCode = (typeof OUTBOUND_CODES)[number];

/** How a client is set up. */

export interface MarqueeOptions {
  /** `mq_live_…` or `mq_test_…`. */
  apiKey: string;
  /** Of the service, such as `https://events.example.org`. */
  baseUrl: string;
  /** In place of the global one. */
  fetch?: typeof globalThis.fetch;
  /** How often a request is tried again after 429, 5xx or a broken connection; 3 unless told. */
  retries?: number;
  /** Milliseconds. A longer `Retry-After`, such as until midnight, is thrown instead; 60 000 unless told. */
  maxRetryWait?: number;
  /** Milliseconds for each attempt; 30 000 unless told. */
  timeout?: number;
  /** How many responses are remembered with their `ETag`; 100 unless told, 0 for none. */
  cacheSize?: number;
  /** Sent with every request, such as `X-Marquee-Simulate` with a test key. */
  headers?: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds, in place of the client's. */
  timeout?: number;
}

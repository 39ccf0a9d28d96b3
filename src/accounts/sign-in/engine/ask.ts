/** Requests to the engine: each is built from known parts, and few run at once. */

import { BusyError, createSemaphore } from '../../../values/waiting/semaphore.ts';

/** Who asks: the headers of the request, and the address as the server sees it, which no header changes. */
export interface SignInCaller {
  headers: Headers;
  address: string;
}

export interface EngineAnswer {
  status: number;
  /** The engine's word for what it refused; undefined when it did not. */
  code: string | undefined;
  /** Each operation knows what its endpoint answers with. */
  data: unknown;
  setCookies: string[];
}

/** Asks the engine as if `path` were an endpoint of ours. Rejects for a surprise; a refusal is in the answer. */
export type AskEngine = (
  caller: SignInCaller,
  method: 'GET' | 'POST',
  path: string,
  body?: Record<string, unknown>,
) => Promise<EngineAnswer>;

export interface AskOptions {
  handler(request: Request): Promise<Response>;
  /** Of the site. */
  origin: string;
  /** How long a request waits for its turn. */
  patienceMs?: number | undefined;
}

export function createAsk({ handler, origin, patienceMs = TURNS.patienceMs }: AskOptions): AskEngine {
  /** A crowd at the door must not hold up those who ask the API on the same thread. */
  const inTurn = createSemaphore({ ...TURNS, patienceMs });

  return async (caller, method, path, body) => {
    const request = new Request(`${origin}${BASE_PATH}${path}`, {
      method,
      headers: passedHeaders(caller, body !== undefined),
      ...(body && { body: JSON.stringify(body) }),
    });
    const answered = inTurn(() => handler(request));
    const response = await answered.catch((error: unknown) => {
      if (error instanceof BusyError) return Response.json({ code: 'MARQUEE_BUSY' }, { status: 503 });
      throw error;
    });
    return readAnswer(response);
  };
}

function passedHeaders(caller: SignInCaller, hasBody: boolean): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: caller.address, accept: 'application/json' });
  for (const name of PASSED_HEADERS) {
    const value = caller.headers.get(name);
    if (value !== null) headers.set(name, value.slice(0, MAX_HEADER_LENGTH));
  }
  if (hasBody) headers.set('content-type', 'application/json');
  return headers;
}

async function readAnswer(response: Response): Promise<EngineAnswer> {
  const text = await response.text();
  const data: unknown = text.startsWith('{') ? JSON.parse(text) : null;
  const code = response.ok ? undefined : String((data as { code?: unknown } | null)?.code ?? response.status);
  return { status: response.status, code, data, setCookies: response.headers.getSetCookie() };
}

export const BASE_PATH = '/sign-in-engine';
export const ADDRESS_HEADER = 'x-marquee-address';
const PASSED_HEADERS = [
  'cookie',
  'origin',
  'referer',
  'user-agent',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
] as const;
const MAX_HEADER_LENGTH = 8_192;
const TURNS = { atOnce: 3, waiting: 500, patienceMs: 15_000 } as const;

/** One request of a browser in, the answer of the React Router app out. */

import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { createRequestHandler, type HeadersArgs, RouterContextProvider, type ServerBuild } from 'react-router';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress, isFromOurPages, type Problem, retryAfter } from '../../../http/index.ts';
import type { Log } from '../../../log.ts';
import { languageCookie, languageOfAddress, languageOfCookie } from '../../model/choose-language.ts';
import { createFormIdempotency } from '../forms.ts';
import { LANGUAGE_CODES } from '../languages.ts';
import { type DatabaseTrouble, type RequestFacts, type Rooms, requestFacts, rooms as roomsContext } from '../rooms.ts';
import { PAGES_VARY, pageHeaders } from './answer-headers.ts';
import type { Build } from './build-pages.ts';
import { type DatabaseWaits, refuseWhileAway } from './database-away.ts';
import { createLiveStreams } from './live-streams.ts';
import type { BrowserRequest, PageResponse, Pages } from './page-messages.ts';

export interface PagesOptions {
  rooms: Omit<Rooms, 'ending' | 'once' | 'onceShown' | 'streams'>;
  log: Log;
  build: Build;
  waits: DatabaseWaits;
  /** Origins that forms may lead to beside our own. */
  formTargets: readonly string[];
}

export function createPages({ rooms, log, build, waits, formTargets }: PagesOptions): Pages {
  const ending = new AbortController();
  const once = createFormIdempotency();
  const onceShown = createFormIdempotency(DOUBLE_CLICK_MS);
  const streams = createLiveStreams(rooms.store.db, log);
  let app: Promise<App> | null = null;
  /** Loaded for the first page that is asked for. */
  const theApp = (): Promise<App> => {
    app ??= loadApp(build);
    return app;
  };

  return {
    async answer(request) {
      const { handle, find } = await theApp();
      const page = find(pathOf(request));
      if (!page && !(APP_METHODS.has(request.method) && acceptsPages(request))) return null;
      const refusal = refuseEarly(request, page, rooms.publicUrl);
      if (refusal) return refusal;
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      const facts = factsOf(request, nonce, log);
      const context = new RouterContextProvider();
      context.set(roomsContext, { ...rooms, once, onceShown, streams, ending: ending.signal });
      context.set(requestFacts, facts);
      const inTime: AppRequest['inTime'] = (work) => waits.noteTrouble(facts.trouble, work);
      const ask = (asked: BrowserRequest) => inTime(() => handle(toRequest(asked, rooms.publicUrl), context));
      const asked = { request, facts, ask, inTime };
      const response = await askForPage(asked, page !== null);
      if (!response) return null;
      // A form may have ended sessions: its sender's, or others'.
      if (request.method === 'POST') void streams.check();
      const answer = await readResponse(asked, response);
      // The app is asked first: the desk does not exist for others, whatever method they use.
      if (answer.status === 405) return notAllowed(page);
      const headers = [...Object.entries(pageHeaders(nonce, rooms.publicUrl, formTargets)), ...answer.headers];
      return { ...answer, headers: [...headers, ...rememberLanguage(request, answer.status)] };
    },
    end() {
      streams.close();
      ending.abort();
    },
  };
}

/** What is refused before the app is asked. Null: nothing. */
function refuseEarly(request: BrowserRequest, page: PageMatch | null, publicUrl: string): Problem | null {
  if (!APP_METHODS.has(request.method)) return notAllowed(page);
  if (page?.takesForms && !isFromOurPages(senderOf(request), publicUrl)) return NOT_FROM_OUR_PAGES;
  return null;
}

const notAllowed = (page: PageMatch | null): Problem =>
  page?.takesForms ? { ...NO_SUCH_METHOD, allow: 'GET, HEAD, POST, OPTIONS' } : NO_SUCH_METHOD;

function factsOf({ requestId, address }: BrowserRequest, nonce: string, log: Log): RequestFacts {
  const trouble: DatabaseTrouble = { isAway: false };
  return { requestId, address, nonce, log, trouble, isHidden: false, refused: 404 };
}

/** One request of a browser, and the way to ask the app about it. */
interface AppRequest {
  request: BrowserRequest;
  facts: RequestFacts;
  ask(request: BrowserRequest): Promise<Response>;
  /** Runs work of the page, as `noteTrouble` does. */
  inTime<T>(work: () => Promise<T>): Promise<T>;
}

/** The response of a page, or that of the error page. Null: there is no page, and no browser has asked. */
async function askForPage({ request, facts, ask }: AppRequest, isPage: boolean): Promise<Response | null> {
  const response = await ask(isPage ? request : toNowhere(request));
  if (!facts.isHidden && !isErrorPage(response, request, facts.trouble)) return response;
  // Every reader sees the same page for one refusal, wherever it was given; who reads is known already.
  if (response.status === 404 && !acceptsPages(request)) return null;
  await response.body?.cancel();
  facts.refused = response.status;
  return ask(toNowhere(request));
}

async function readResponse({ request, facts, ask, inTime }: AppRequest, response: Response): Promise<PageResponse> {
  const { trouble } = facts;
  const answer = await inTime(() => toResponse(response, request)).catch(async (error: unknown) => {
    if (!trouble.isAway) throw error;
    // A table broke off while it was read. Nothing of it was sent.
    facts.refused = 503;
    return toResponse(await ask(toNowhere(request)), request);
  });
  const isLater = answer.status === 503 && !answer.headers.some(([name]) => name === 'retry-after');
  return isLater ? { ...answer, headers: [...answer.headers, ...Object.entries(retryAfter(RETRY_SECONDS))] } : answer;
}

/** A link to a page in a language leads on to pages in this language, until the browser is closed. */
function rememberLanguage({ target, headers }: BrowserRequest, status: number): [name: string, value: string][] {
  const code = languageOfAddress(target.split('?', 2)[1] ?? '', LANGUAGE_CODES);
  const isKnown = code === null || code === languageOfCookie(headers.cookie?.join('; ') ?? '', LANGUAGE_CODES);
  return isKnown || status !== 200 ? [] : [['set-cookie', languageCookie(code, false)]];
}

interface App {
  handle(request: Request, context: RouterContextProvider): Promise<Response>;
  find: PageFinder;
}

async function loadApp({ server }: Build): Promise<App> {
  const build = withRetryAfter((await import(server)) as ServerBuild);
  const patient = { ...build, routes: refuseWhileAway(build.routes) };
  return { handle: createRequestHandler(patient, 'production'), find: createPageFinder(build.routes) };
}

/** Whether the answer is no page of its own: what is not there, and what broke. */
function isErrorPage({ status, headers }: Response, request: BrowserRequest, { isAway }: DatabaseTrouble): boolean {
  if (pathOf(request).endsWith('.data')) return false;
  const isHtml = headers.get('content-type')?.startsWith('text/html');
  const isBroken = status === 500 || (status === 503 && isAway);
  return isBroken ? isHtml || acceptsPages(request) : status === 404 && isHtml === true;
}

async function toResponse(response: Response, request: BrowserRequest): Promise<PageResponse> {
  const { status } = response;
  const body = response.body as ReadableStream<Uint8Array> | null;
  const headers = [...response.headers];
  if (!response.headers.has('cache-control')) headers.push(['cache-control', 'private, no-store']);
  if (!body) return { status, headers, body };
  // The server sends no body for HEAD; a stream would wait for its reader.
  const isHead = request.method === 'HEAD';
  const type = response.headers.get('content-type') ?? '';
  if (!COMPRESSIBLE.test(type) || response.headers.has('content-encoding')) {
    if (isHead) await body.cancel();
    return { status, headers, body: isHead ? null : body };
  }
  const bytes = await buffer(body);
  const encoding = bytes.length < COMPRESS_FROM_BYTES ? null : chooseEncoding(request.headers['accept-encoding']?.join());
  headers.push(['vary', PAGES_VARY]);
  if (encoding === null) return { status, headers, body: bytes };
  return { status, headers: [...headers, ['content-encoding', encoding]], body: await compress(bytes, encoding) };
}

/**
 * For the page that says so: nothing that React Router would forgive into a page, and no form. Its own route must be asked, whichever
 * routes a request for data names: else the answer would be empty, with status 200.
 */
function toNowhere(request: BrowserRequest): BrowserRequest {
  const [path, query = ''] = request.target.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  if (!parameters.has(ROUTES)) return { ...request, method: 'GET', target: `/~${request.target}`, body: null };
  parameters.delete(ROUTES);
  return { ...request, method: 'GET', target: `/~${path}?${parameters}`, body: null };
}

/** HEAD is asked as GET, so that its headers are the same (RFC 9110 §9.3.2). */
function toRequest(request: BrowserRequest, publicUrl: string): Request {
  const { origin, host } = new URL(publicUrl);
  const { target, body } = request;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headers)) for (const value of values) headers.append(name, value);
  // Links and checks go by the configured address, whatever a proxy made of it; where it came from has been seen to.
  headers.set('host', host);
  headers.delete('x-forwarded-host');
  if (method === 'POST') headers.set('origin', origin);
  return new Request(origin + target, { method, headers, body: body && new Uint8Array(body) });
}

function senderOf({ method, headers }: BrowserRequest) {
  const [origin] = headers.origin ?? [];
  const [host] = headers.host ?? [];
  return { method, fetchSite: headers['sec-fetch-site']?.join(), origin, host };
}

function acceptsPages(request: BrowserRequest): boolean {
  return (request.headers.accept?.join() ?? '').includes('text/html') || pathOf(request).endsWith('.data');
}

const pathOf = ({ target }: BrowserRequest): string => target.split('?', 1)[0] ?? '/';

/** Null: only the page that says so would answer. */
type PageFinder = (path: string) => PageMatch | null;

interface PageMatch {
  /** Whether it has forms that post. */
  takesForms: boolean;
}

/**
 * Addresses are exact: React Router would forgive upper case and slashes at the end. Its own `matchRoutes` makes its table of routes
 * anew each time, a twentieth of what a page costs.
 */
export function createPageFinder(routes: ServerBuild['routes']): PageFinder {
  const known = Object.values(routes).filter((route) => route !== undefined);
  const chainOf = (id: string | undefined): typeof known => {
    const route = id === undefined ? undefined : routes[id];
    return route ? [...chainOf(route.parentId), route] : [];
  };
  const pages = known
    .filter(({ path, index }) => (path !== undefined || index) && path !== '*')
    .map(({ id }) => {
      const chain = chainOf(id);
      const segments = chain.flatMap(({ path = '' }) => path.split('/').filter(Boolean));
      return { segments, takesForms: chain.some(({ module }) => module.action !== undefined) };
    })
    // A name before a parameter; and a page before the layout around it, which has the same address.
    .toSorted((a, b) => blanks(a.segments) - blanks(b.segments) || Number(b.takesForms) - Number(a.takesForms));
  return (asked) => {
    if (asked === MANIFEST) return { takesForms: false };
    const path = asked.replace(DATA, '') || '/';
    if (FORGIVEN.test(path)) return null;
    const given = path.split('/').slice(1).map(decoded);
    const names = path === '/' ? [] : given;
    const isAt = (segments: string[]) =>
      segments.length === names.length && segments.every((segment, at) => isBlank(segment) || segment === names[at]);
    return pages.find(({ segments }) => isAt(segments)) ?? null;
  };
}

const isBlank = (segment: string): boolean => segment.startsWith(':');
const blanks = (segments: readonly string[]): number => segments.filter(isBlank).length;

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The same build, in which every route passes `Retry-After` on. */
function withRetryAfter(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    if (!route) return [id, route];
    const own = route.module.headers;
    const headers = (args: HeadersArgs): Headers => {
      const passed = new Headers(typeof own === 'function' ? own(args) : (own ?? args.parentHeaders));
      const seconds = args.errorHeaders?.get(NAME) ?? args.actionHeaders.get(NAME) ?? args.loaderHeaders.get(NAME);
      if (seconds) passed.set(NAME, seconds);
      return passed;
    };
    return [id, { ...route, module: { ...route.module, headers } }];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

const NOT_FROM_OUR_PAGES: Problem = {
  code: 'cross_site_request',
  detail: 'this form came from another site and was rejected; open the page here and send it again',
};
/** What the app is asked with. It would take all others for forms. */
const APP_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const NO_SUCH_METHOD: Problem = {
  code: 'method_not_allowed',
  detail: 'this page does not accept the method of the request; the Allow header names the accepted methods',
};
const COMPRESSIBLE = /^(?:text\/html|text\/x-script|text\/plain|text\/csv|application\/json)/;
/** React Router's parameter: the routes whose data is asked for. */
const ROUTES = '_routes';
/** A database that comes back is asked at once. */
const RETRY_SECONDS = 5;
const NONCE_BYTES = 16;
const DOUBLE_CLICK_MS = 10_000;
const MANIFEST = '/_manifest';
/** Loaders' data is asked for at the page's address with this ending. */
const DATA = /(?:\/_root)?\.data$/;
/** A double slash, and one at the end of anything but the front page. */
const FORGIVEN = /\/\/|.\/$/;
const NAME = 'Retry-After';

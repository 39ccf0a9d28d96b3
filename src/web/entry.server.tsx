import { type EntryContext, isRouteErrorResponse, type RouterContextProvider, ServerRouter } from 'react-router';
import { requestFacts } from './server/rooms.ts';
import { createStaticPages, renderHtml } from './server/serving/render-html.ts';

const staticPages = createStaticPages();

/** One page as HTML. Nothing is sent before the page is whole: a loader that fails gives its error page and status. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: Readonly<RouterContextProvider>,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  const name = staticPages.nameOf(request, routerContext);
  const known = name === null ? undefined : staticPages.get(name);
  if (known !== undefined) return new Response(known, { status, headers });
  const { nonce, log } = context.get(requestFacts);
  const outcome = { status };
  const html = await renderHtml(<ServerRouter context={routerContext} url={request.url} nonce={nonce} />, {
    nonce,
    signal: request.signal,
    onError(error) {
      outcome.status = 500;
      log.error({ err: error }, 'cannot render a page');
    },
  });
  if (name !== null && outcome.status === status) staticPages.keep(name, html);
  return new Response(html, { status: outcome.status, headers });
}

/** What a loader, an action or a component threw without meaning to. */
export function handleError(
  error: unknown,
  { context, request }: { context: Readonly<RouterContextProvider>; request: Request },
): void {
  if (request.signal.aborted) return;
  // What was asked for is not there, or is asked for wrongly: nothing of ours failed.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  const { log, requestId, trouble, refused } = context.get(requestFacts);
  // The database's trouble is logged where it is noticed, once; and what broke was logged before its page is made.
  if (trouble.isAway || refused !== 404) return;
  log.error({ err: error, requestId }, 'a page failed');
}

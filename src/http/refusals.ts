/** How a refusal outside the API is written: a page for browsers, a problem document for all others, and bytes where no request could be read. */

import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEM_TYPE, PROBLEMS, type Problem, writeProblem } from './problems.ts';
import { readHead } from './request-head.ts';

export interface Refusals {
  /** Answers a request. What was not read of it is not read any more. `headers` go before the refusal's own. */
  answer(req: IncomingMessage, res: ServerResponse, refusal: { problem: Problem; requestId: string; headers?: Headers }): void;
  /** Answers and ends a connection whose bytes were no request. `header`: a further line with its end. Gives the status. */
  endConnection(socket: Socket, problem: Problem, requestId: string, header?: string): number;
}

type Headers = Readonly<Record<string, string>>;

export function createRefusals(publicUrl: () => string, service: { readonly draining: boolean }): Refusals {
  return {
    answer(req, res, { problem, requestId, headers }) {
      const { status, title } = PROBLEMS[problem.code];
      const isForBrowser = (req.headers.accept ?? '').includes('text/html');
      const page = { status, title, detail: problem.detail, requestId };
      const body = isForBrowser ? Buffer.from(renderRefusalPage(page)) : writeProblem(problem, publicUrl(), requestId);
      const retryAfter = problem.members?.retryAfterSeconds;
      const closing = service.draining || status === 400 || readHead(req.rawHeaders).bodyLength > 0;
      res.writeHead(status, {
        ...headers,
        ...(isForBrowser ? REFUSAL_PAGE_HEADERS : { 'Content-Type': PROBLEM_TYPE }),
        'Content-Length': body.length,
        'Cache-Control': 'no-store',
        Vary: 'Accept',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': requestId,
        ...(problem.code === 'method_not_allowed' && { Allow: headers?.Allow ?? PLAIN_METHODS }),
        ...(status === 429 && retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
        ...(closing && { Connection: 'close' }),
      });
      res.end(req.method === 'HEAD' ? undefined : body);
    },

    endConnection(socket, problem, requestId, header = '') {
      const { status, title } = PROBLEMS[problem.code];
      const body = writeProblem(problem, publicUrl(), requestId);
      const head = `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${body.length}\r\n`;
      const rest = `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ${requestId}\r\n${header}`;
      // Closing at once would reset the connection while the sender still sends, and the answer would be lost.
      socket.end(Buffer.concat([Buffer.from(`${head}${rest}Connection: close\r\n\r\n`), body]), () => {
        setTimeout(() => socket.destroy(), LINGER_MS).unref();
      });
      return status;
    },
  };
}

/** A refusal for people in front of a browser. */
interface RefusalPage {
  status: number;
  title: string;
  /** One sentence, in lower case as problem documents have it. */
  detail: string;
  requestId: string;
}

/** It needs nothing but itself: neither the pages' thread nor their files. */
function renderRefusalPage({ status, title, detail, requestId }: RefusalPage): string {
  const sentence = detail.charAt(0).toUpperCase() + detail.slice(1);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Marquee</title>
<style>${STYLE}</style>
<main>
<p>${status}</p>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(sentence)}.</p>
<p><a href="/">Go to the homepage</a></p>
<p><small>Request ID: ${escapeHtml(requestId)}</small></p>
</main>
</html>
`;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** What addresses outside the API take, where no room says otherwise. */
export const PLAIN_METHODS = 'GET, HEAD, OPTIONS';
/** Time for a refused sender to read the answer. */
const LINGER_MS = 500;
const STYLE =
  'body{font:1.125rem/1.6 system-ui,sans-serif;margin:15vh auto;max-width:34rem;padding:0 1.5rem}h1{line-height:1.2}small{overflow-wrap:anywhere}';
const REFUSAL_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
} as const;

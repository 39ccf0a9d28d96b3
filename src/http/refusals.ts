/** How a refusal leaves: its status and headers, a problem document, a page for browsers, and bytes where no request could be read. */

import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, type Problem } from './problems.ts';
import { readHead } from './request-head.ts';

/** Refuses a request of a mounted route. `headers` go before the refusal's own. */
export type Refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  headers?: Readonly<Record<string, string>>,
) => void;

export interface Refusals {
  /** Answers a request. What was not read of it is not read any more. `headers` go before the refusal's own. */
  answer(
    req: IncomingMessage,
    res: ServerResponse,
    refusal: { problem: Problem; requestId: string; headers?: Readonly<Record<string, string>> },
  ): void;
  /** Answers and ends a connection whose bytes were no request. Gives the status. */
  endConnection(socket: Socket, problem: Problem, requestId: string): number;
}

/** The HTTP status of a code or reason. A reason that no table has is a wish that cannot be met (400), or must wait (429). */
export function statusOf(code: string, retryAfterSeconds?: number): number {
  return STATUSES[code] ?? (retryAfterSeconds === undefined ? 400 : 429);
}

/** When to try again (RFC 9110 §10.2.3). */
export const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) });

/** The headers that a code asks for: when to try again, what the path accepts, how to send a key. */
export function problemHeaders({ code, members, allow = PLAIN_METHODS }: Problem<string>): Record<string, string> {
  const status = statusOf(code);
  // The contract has `Retry-After` on a 429 alone; a 503 has the same seconds in its body.
  if (status === 429 && members?.retryAfterSeconds !== undefined) return retryAfter(Number(members.retryAfterSeconds));
  if (status === 405) return { Allow: allow };
  return status === 401 ? { 'WWW-Authenticate': KEY_CHALLENGE } : {};
}

/** Status and headers of a page that answers a refused form. It says when to try again, also with a 503. */
export function formHead({ reason, retryAfterSeconds }: { reason?: string; retryAfterSeconds?: number | null }): {
  status: number;
  headers: Record<string, string>;
} {
  const seconds = retryAfterSeconds ?? undefined;
  return { status: statusOf(reason ?? '', seconds), headers: seconds === undefined ? {} : retryAfter(seconds) };
}

/** The body of a refusal, RFC 9457 §3. `publicUrl` has no trailing slash. */
export function writeProblem(problem: Problem, publicUrl: string, requestId: string): Buffer {
  const kind = PROBLEMS[problem.code];
  return Buffer.from(
    JSON.stringify({
      type: `${publicUrl}/docs/errors#${problem.code}`,
      title: kind.title,
      status: kind.status,
      detail: problem.detail,
      instance: `urn:request:${requestId}`,
      code: problem.code,
      ...problem.members,
      ...(problem.errors && { errors: problem.errors }),
    }),
  );
}

export function createRefusals(publicUrl: () => string, service: { readonly draining: boolean }): Refusals {
  return {
    answer(req, res, { problem, requestId, headers }) {
      const { status, title } = PROBLEMS[problem.code];
      const isForBrowser = (req.headers.accept ?? '').includes('text/html');
      const page = { status, title, detail: problem.detail, requestId };
      const body = isForBrowser ? Buffer.from(renderRefusalPage(page)) : writeProblem(problem, publicUrl(), requestId);
      const closing = service.draining || status === 400 || readHead(req.rawHeaders).bodyLength > 0;
      res.writeHead(status, {
        ...headers,
        ...(isForBrowser ? REFUSAL_PAGE_HEADERS : { 'Content-Type': PROBLEM_TYPE }),
        'Content-Length': body.length,
        'Cache-Control': 'no-store',
        Vary: 'Accept',
        'X-Content-Type-Options': 'nosniff',
        'X-Request-Id': requestId,
        ...problemHeaders(problem),
        ...(closing && { Connection: 'close' }),
      });
      res.end(req.method === 'HEAD' ? undefined : body);
    },

    endConnection(socket, problem, requestId) {
      const { status, title } = PROBLEMS[problem.code];
      const body = writeProblem(problem, publicUrl(), requestId);
      const head = `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${body.length}\r\n`;
      const rest = `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ${requestId}\r\n`;
      const own = Object.entries(problemHeaders(problem)).map(([name, value]) => `${name}: ${value}\r\n`);
      // Closing at once would reset the connection while the sender still sends, and the answer would be lost.
      socket.end(Buffer.concat([Buffer.from(`${head}${rest}${own.join('')}Connection: close\r\n\r\n`), body]), () => {
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

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
/** What a path accepts, where no room says otherwise. */
export const PLAIN_METHODS = 'GET, HEAD, OPTIONS';
/** Time for a refused sender to read the answer. */
const LINGER_MS = 500;
const KEY_CHALLENGE = 'ApiKey realm="api", header="X-API-Key"';
/** Of problems, and of reasons that no problem document has. */
const STATUSES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])),
  live_key_required: 403,
  foreign_origin: 403,
  not_signed_in: 401,
  too_many_attempts: 429,
  too_many_passwords: 429,
  locked: 429,
  limited: 429,
  busy: 503,
  full: 503,
};
const STYLE =
  'body{font:1.125rem/1.6 system-ui,sans-serif;margin:15vh auto;max-width:34rem;padding:0 1.5rem}h1{line-height:1.2}small{overflow-wrap:anywhere}';
const REFUSAL_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
} as const;

/** Every refusal outside the API: a page for browsers, a problem document for all others, and bytes where no request could be read. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Api, PROBLEM_TYPE, PROBLEMS, type Problem, readHead, writeProblem } from '../../api/index.ts';
import { REFUSAL_PAGE_HEADERS, renderRefusalPage } from './refusal-page.ts';

export interface Refusals {
  /** Answers a request. What was not read of it is not read any more. `headers` go before the refusal's own. */
  answer(req: IncomingMessage, res: ServerResponse, refusal: { problem: Problem; requestId: string; headers?: Headers }): void;
  /** Answers and ends a connection whose bytes were no request. `header`: a further line with its end. Gives the status. */
  endConnection(socket: Socket, problem: Problem, requestId: string, header?: string): number;
}

type Headers = Readonly<Record<string, string>>;

export function createRefusals(publicUrl: Api['publicUrl'], service: { readonly draining: boolean }): Refusals {
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

/** What addresses outside the API take, where no room says otherwise. */
export const PLAIN_METHODS = 'GET, HEAD, OPTIONS';
/** Time for a refused sender to read the answer. */
const LINGER_MS = 500;

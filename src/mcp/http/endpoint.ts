/**
 * `POST /mcp`: one message a request. Every request passes the same steps:
 *
 *     method ─► origin ─► media types ─► body ─► message and headers ─► key and limits ─► the method's run
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOwnOrigin, statusOf } from '../../http/index.ts';
import type { FoundMethod, McpDispatcher, McpOutcome } from '../protocol/dispatcher.ts';
import { formatError } from '../protocol/errors.ts';
import { parseMessage } from '../protocol/message.ts';
import { type AdmitMcp, MCP_ROUTE, type McpAdmission, refusalHeaders } from './admission.ts';
import { createEventStream, type EventStream, type ExchangeWriter, type McpConnection, type McpExchange } from './exchange.ts';
import { MAX_BODY_BYTES, readBody, readMcpHead } from './read-request.ts';

export type McpHandler = (req: IncomingMessage, res: ServerResponse, connection: McpConnection) => void;

export function createMcpEndpoint(
  dispatcher: McpDispatcher,
  admit: AdmitMcp,
  writer: ExchangeWriter,
  publicUrl: () => string,
): McpHandler {
  async function run(exchange: McpExchange, found: FoundMethod, admission: Extract<McpAdmission, { ok: true }>): Promise<void> {
    const mayStream = accepts(exchange.head.accept, 'text/event-stream');
    if (found.method.streams && !mayStream) {
      admission.recordOutcome(MCP_ROUTE, 406);
      return void writer.refuse(exchange, 406, 'invalid_request', 'Accept must list text/event-stream');
    }
    let stream: EventStream | null = null;
    const asked = dispatcher.run(found, {
      caller: admission.caller,
      watch: () => watchLeaving(exchange.res),
      send(message) {
        if (!mayStream) return;
        if (!stream) {
          stream = createEventStream(exchange.res);
          stream.open(writer.headersOf(exchange));
        }
        stream.send(message);
      },
      drained: async () => await stream?.drained(),
    });
    const outcome = asked instanceof Promise ? await asked : asked;
    const opened = stream as EventStream | null;
    const status = opened || outcome.kind === 'accepted' ? OK : outcome.status;
    admission.recordOutcome(MCP_ROUTE, status);
    if (!opened) return void writeOutcome(writer, exchange, outcome);
    if (outcome.kind === 'answer') opened.end(outcome.text);
    writer.conclude(exchange, OK);
  }

  async function answer(exchange: McpExchange): Promise<void> {
    const { req, head, address } = exchange;
    const body = await readBody(req);
    if (body === null) return void writer.refuse(exchange, 413, 'invalid_request', `a body has at most ${MAX_BODY_BYTES} bytes`);
    const found = dispatcher.find(parseMessage(body), head);
    const request = 'method' in found ? found.request : null;
    const cost = 'method' in found ? (found.method.cost?.(found.request.params) ?? 0) : 0;
    const asked = admit({ key: head.key, address, connection: req.socket, cost });
    const admission = asked instanceof Promise ? await asked : asked;
    exchange.allowance = admission.allowance;
    exchange.keyId = admission.keyId;
    if (!admission.ok) {
      const { problem } = admission;
      const { code, detail, members } = problem;
      const text = formatError(request?.id ?? null, 'refused', detail, { code, ...members });
      writer.write(exchange, statusOf(code), text, refusalHeaders(problem));
    } else if ('method' in found) await run(exchange, found, admission);
    else writeOutcome(writer, exchange, found);
  }

  return (req, res, connection) => {
    const exchange: McpExchange = {
      ...connection,
      req,
      res,
      head: readMcpHead(req.rawHeaders),
      allowance: null,
      keyId: undefined,
    };
    if (req.method === 'OPTIONS') writer.write(exchange, 204, null, ALLOW);
    else if (!isAcceptable(writer, exchange, publicUrl())) return;
    else {
      answer(exchange).catch(() => {
        // The caller left before the end of the body.
        writer.conclude(exchange, ABANDONED);
        res.destroy();
      });
    }
  };
}

/** Aborted when the caller leaves. Made for the few methods that ask: it costs as much as a small answer. */
function watchLeaving(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  if (res.destroyed) left.abort();
  else res.once('close', () => left.abort());
  return left.signal;
}

/** Refuses what cannot be a message for this server, before the body is read. */
function isAcceptable({ refuse }: ExchangeWriter, exchange: McpExchange, publicUrl: string): boolean {
  const { req, head } = exchange;
  if (req.method !== 'POST') refuse(exchange, 405, 'invalid_request', 'send messages with POST', ALLOW);
  else if (!isOwnOrigin(head.origin, publicUrl)) {
    refuse(exchange, 403, 'invalid_request', 'pages of other sites may not call this server');
  } else if (!JSON_TYPE.test(head.contentType ?? '')) {
    refuse(exchange, 415, 'invalid_request', 'the Content-Type must be application/json');
  } else if (!accepts(head.accept, 'application/json')) {
    refuse(exchange, 406, 'invalid_request', 'Accept must list application/json and text/event-stream');
  } else return true;
  return false;
}

function writeOutcome({ write }: ExchangeWriter, exchange: McpExchange, outcome: McpOutcome): void {
  if (outcome.kind === 'answer') write(exchange, outcome.status, outcome.text);
  else write(exchange, ACCEPTED, null);
}

/** Without `Accept` everything is accepted (RFC 9110 §12.5.1). */
const accepts = (accept: string | undefined, type: string): boolean =>
  accept === undefined || accept.includes(type) || accept.includes('*/*') || accept.includes(`${type.split('/', 1)[0]}/*`);

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const ALLOW = ['Allow', 'POST, OPTIONS'] as const;
const OK = 200;
const ACCEPTED = 202;
/** Never sent; what proxies write into their logs for it. */
const ABANDONED = 499;

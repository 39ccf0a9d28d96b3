/** The client: a method for each operation of the API, iterators over lists, and the change log. */

import { type ChangeBatch, type FollowOptions, followChanges } from './changes.ts';
import { OPERATIONS, type Operations } from './generated.ts';
import type { MarqueeOptions, RequestOptions } from './options.ts';
import { createTransport, type Params, type Transport } from './transport.ts';

export interface Marquee extends Operations {
  /** Batches of changes, for ever: from the beginning of the log, or after a cursor. */
  followChanges(options?: FollowOptions): AsyncGenerator<ChangeBatch, void, undefined>;
}

export function createMarquee(options: MarqueeOptions): Marquee {
  const transport = createTransport(options);
  const methods: Record<string, unknown> = {};
  for (const [id, row] of Object.entries<Row>(OPERATIONS)) {
    methods[id] = async (...given: unknown[]) => {
      const { path, params, request } = readArguments(row, given);
      const text = await transport(path, params, request);
      return row.isText ? text : JSON.parse(text);
    };
    if (row.all) {
      methods[row.all] = (...given: unknown[]) => {
        const { path, params, request } = readArguments(row, given);
        return readAll(transport, path, params, request);
      };
    }
  }
  const operations = methods as unknown as Operations;
  return { ...operations, followChanges: (follow = {}) => followChanges(operations.listChanges, follow) };
}

interface Row {
  path: string;
  hasId: boolean;
  hasParameters: boolean;
  isText: boolean;
  /** Name of the iterator. */
  all: string | null;
}

interface Call {
  path: string;
  params: Params;
  request: RequestOptions | undefined;
}

/** `(id?, params?, options?)`, as the operation has them. */
function readArguments({ path, hasId, hasParameters }: Row, given: readonly unknown[]): Call {
  const rest = [...given];
  const id = hasId ? String(rest.shift()) : '';
  const params = (hasParameters ? (rest.shift() ?? {}) : {}) as Params;
  return { path: path.replace('{id}', () => encodeURIComponent(id)), params, request: rest[0] as RequestOptions | undefined };
}

interface Page {
  data: unknown[];
  meta: { hasMore: boolean; limit: number };
}

async function* readAll(transport: Transport, path: string, params: Params, request: RequestOptions | undefined) {
  let offset = Number(params.offset ?? 0);
  for (;;) {
    const page: Page = JSON.parse(await transport(path, { limit: MAX_PAGE, ...params, offset }, request));
    yield* page.data;
    if (!page.meta.hasMore || page.data.length === 0) return;
    offset += page.data.length;
  }
}

const MAX_PAGE = 100;

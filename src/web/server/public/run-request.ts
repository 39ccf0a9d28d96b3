/** The playground without scripts: what was filled in, run in the reader's name, or led back to an address that shows its lines. */

import { redirect } from 'react-router';
import { API_PREFIX } from '../../../api/index.ts';
import { faultOf, isKey, type PlaygroundAnswer } from '../../model/playground/answer.ts';
import { type PlaygroundEndpoint, requestOf } from '../../model/playground/endpoints.ts';
import { type ApiRequest, targetOf } from '../../model/playground/lines.ts';
import type { AskApi } from '../rooms.ts';

export interface PlaygroundRunOptions {
  form: FormData;
  endpoint: PlaygroundEndpoint;
  base: string;
  /** The reader's: requests without a key are limited by address. */
  address: string;
  askApi: AskApi;
}

export type RunOutcome =
  | { ok: true; request: ApiRequest; answer: PlaygroundAnswer }
  | { ok: false; request: ApiRequest; errors: Record<string, string> };

/** Throws a redirect where only the lines were asked for. The key goes into the request and nowhere else. */
export async function runRequest({ form, endpoint, base, address, askApi }: PlaygroundRunOptions): Promise<RunOutcome> {
  const request = requestOf(endpoint, base, form);
  if (form.get('intent') === 'lines') throw redirect(addressOf(endpoint, request), 303);
  const key = String(form.get('key') ?? '').trim();
  const missing = faultOf(endpoint, request);
  const errors = { ...missing, ...(isKey(key) ? {} : { key: 'Paste the whole key. It starts with mq_live_ or mq_test_.' }) };
  if (Object.keys(errors).length > 0) return { ok: false, request, errors };
  const began = performance.now();
  const { status, headers, body } = await askApi({ target: API_PREFIX + targetOf(request), key, address });
  return { ok: true, request, answer: { status, headers, body, milliseconds: performance.now() - began } };
}

/** The page that shows a request, without any key. */
function addressOf(endpoint: PlaygroundEndpoint, { id, query }: ApiRequest): string {
  const search = new URLSearchParams([['endpoint', endpoint.id], ...(id ? [['id', id]] : []), ...query.map((pair) => [...pair])]);
  return `/playground?${search}`;
}

/** An answer of the API as the playground shows it, however it was asked. */

import type { PlaygroundEndpoint } from './endpoints.ts';
import { type ApiRequest, targetOf } from './lines.ts';

export interface PlaygroundAnswer {
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
  /** From sending to the last byte. */
  milliseconds: number;
}

/** What must be filled in and is not, by field. */
export function faultOf({ fields }: PlaygroundEndpoint, { id }: ApiRequest): Record<string, string> {
  return fields.some(({ required }) => required) && id === '' ? { id: 'Enter the ID of a record.' } : {};
}

/** Whether it can travel in a header at all; the API judges the rest. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]{1,200}$/.test(text);

/** Asks from the browser itself: the key goes to the API of this very site and nowhere else. */
export async function askFromBrowser(request: ApiRequest, key: string): Promise<PlaygroundAnswer> {
  const began = performance.now();
  const answer = await fetch(new URL(request.base).pathname + targetOf(request), {
    headers: { 'X-API-Key': key, Accept: 'application/json' },
    cache: 'no-store',
    credentials: 'omit',
  });
  const body = await answer.text();
  return { status: answer.status, headers: [...answer.headers], body, milliseconds: performance.now() - began };
}

/** Of the headers those that tell about the key's allowance and the answer, in this order. */
export function tellingHeaders({ headers }: PlaygroundAnswer): (readonly [string, string])[] {
  const given = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  return SHOWN.flatMap((name) => {
    const value = given.get(name.toLowerCase());
    return value === undefined ? [] : [[name, value] as const];
  });
}

const SHOWN = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Per-Minute',
  'X-RateLimit-Reset',
  'Retry-After',
  'RateLimit',
  'X-Search-Interpretation',
  'Link',
  'Location',
  'ETag',
  'Cache-Control',
  'Content-Type',
  'WWW-Authenticate',
  'X-Request-Id',
];

/** The address in the request line. */

/** Path and query as sent, without their marks; a fragment, which no client should send, is dropped. */
export function splitTarget(target: string): { path: string; query: string } {
  const hash = target.indexOf('#');
  const whole = hash < 0 ? target : target.slice(0, hash);
  const mark = whole.indexOf('?');
  return mark < 0 ? { path: whole, query: '' } : { path: whole.slice(0, mark), query: whole.slice(mark + 1) };
}

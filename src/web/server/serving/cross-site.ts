/** Whether a request that changes something comes from a page of ours (cross-site request forgery). */

export interface FormSender {
  method: string;
  /** Headers as sent; undefined when absent. */
  fetchSite: string | undefined;
  origin: string | undefined;
  host: string | undefined;
}

/**
 * Browsers say in `Sec-Fetch-Site` (Fetch Metadata) where a request comes from, and no page can forge it; those that do not know it
 * say `Origin` on every POST (Fetch §3.1). A sender that says neither is refused: it is no browser, and needs no page. The scheme counts:
 * a page over http may be written by anybody on the way. Names of the machine beside the public one are served without TLS.
 */
export function isFromOurPages({ method, fetchSite, origin, host }: FormSender, publicUrl: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none';
  if (origin === undefined || !URL.canParse(origin)) return false;
  const ours = new URL(publicUrl);
  if (host === undefined || host === ours.host) return origin === ours.origin;
  return origin === ours.origin || origin === `http://${host}`;
}

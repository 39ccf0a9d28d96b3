/** Which sites may ask: the `Host` that pages answer to, and the senders of forms and messages. Other sites use a visitor's browser to reach a service. */

import { hostnameOf, isAddressHost, isLoopbackHost } from '../values/loopback.ts';
import type { Problem } from './problems.ts';

export interface HostGuardOptions {
  /** Its name is answered, whatever the port. */
  publicUrl: () => string;
  /** Whether every IP address is answered too: no public address is set, and other machines may connect. */
  acceptsAddresses: boolean;
}

/** Takes the `Host` of a request; null when it is answered. */
export type HostGuard = (host: string) => Problem | null;

/**
 * Which `Host` the pages answer to. A page of another site can give its own name the address of this service (DNS rebinding); a browser
 * then takes the service for that site, and its scripts may read every page. So names must be known: the public one, and those of the
 * machine itself. An IP address cannot be rebound: a page whose address it is came from there.
 */
export function createHostGuard({ publicUrl, acceptsAddresses }: HostGuardOptions): HostGuard {
  /** The last one that was answered: most callers send the same. */
  let known = '';
  return (host) => {
    if (host === known && host !== '') return null;
    const name = hostnameOf(host);
    const publicName = new URL(publicUrl()).hostname;
    if (name === publicName || isLoopbackHost(name) || (acceptsAddresses && isAddressHost(name))) {
      known = host;
      return null;
    }
    const wanted = `${publicName}${acceptsAddresses ? ', an IP address of this machine' : ''} or localhost`;
    const came = name === '' ? 'is missing or not a host name' : `is "${name.slice(0, MAX_SHOWN)}"`;
    const detail = `the Host header must be ${wanted}, but ${came}; the operator sets the name of this site as MARQUEE_PUBLIC_URL`;
    return { code: 'misdirected_request', detail };
  };
}

export interface FormSender {
  method: string;
  /** Headers as sent; undefined when absent. */
  fetchSite: string | undefined;
  origin: string | undefined;
  host: string | undefined;
}

/**
 * Whether a request that changes something comes from a page of ours (cross-site request forgery). Browsers say in `Sec-Fetch-Site` (Fetch
 * Metadata) where a request comes from, and no page can forge it. Browsers without it send `Origin` on every POST (Fetch §3.1). A sender
 * that says neither is refused: it is no browser, and needs no page. The scheme counts: a page over http may be written by anybody on the
 * way. Names of the machine beside the public one are served without TLS.
 */
export function isFromOurPages({ method, fetchSite, origin, host }: FormSender, publicUrl: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none';
  if (origin === undefined || !URL.canParse(origin)) return false;
  const ours = new URL(publicUrl);
  if (host === undefined || host === ours.host) return origin === ours.origin;
  return origin === ours.origin || origin === `http://${host}`;
}

/** Whether this `Origin` may send messages: a page of another site may not, a program sends none. Takes the header as sent. */
export function isOwnOrigin(origin: string | undefined, publicUrl: string): boolean {
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  return url !== null && (url.origin === new URL(publicUrl).origin || isLoopbackHost(url.hostname));
}

const MAX_SHOWN = 100;

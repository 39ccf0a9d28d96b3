/**
 * Which `Host` the pages answer to. A page of another site can give its own name the address of this service (DNS rebinding); a browser
 * then takes the service for that site, and its scripts may read every page. So names must be known: the public one, and those of the
 * machine itself. An IP address cannot be rebound: a page whose address it is came from there.
 */

import type { Problem } from '../../api/index.ts';
import { hostnameOf, isAddressHost, isLoopbackHost } from '../../values/loopback.ts';

export interface HostGuardOptions {
  /** Its name is answered, whatever the port. */
  publicUrl: () => string;
  /** Whether every IP address is answered too: no public address is set, and other machines may connect. */
  acceptsAddresses: boolean;
}

/** Takes the `Host` of a request; null when it is answered. */
export type HostGuard = (host: string) => Problem | null;

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

const MAX_SHOWN = 100;

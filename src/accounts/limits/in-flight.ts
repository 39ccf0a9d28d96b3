import { hostNetwork } from '../../values/ip-network.ts';
/** How many requests wait at once, in all, for each connection and for each network: one caller cannot take every place. */

export interface InFlight {
  /** Takes a place and gives the function that frees it; null if there is none left for this caller. */
  enter(address: string, connection?: object): (() => void) | null;
}

export interface InFlightLimits {
  total: number;
  perConnection: number;
  /** For each IPv4 address or IPv6 /64. */
  perHost: number;
}

export function createInFlight(limits: InFlightLimits): InFlight {
  const byConnection = new WeakMap<object, number>();
  const byHost = new Map<string, number>();
  let total = 0;

  return {
    enter(address, connection = NO_CONNECTION) {
      if (total >= limits.total) return null;
      const here = byConnection.get(connection) ?? 0;
      if (connection !== NO_CONNECTION && here >= limits.perConnection) return null;
      const host = hostNetwork(address);
      const fromHost = byHost.get(host) ?? 0;
      if (fromHost >= limits.perHost) return null;
      total += 1;
      byConnection.set(connection, here + 1);
      byHost.set(host, fromHost + 1);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        total -= 1;
        byConnection.set(connection, (byConnection.get(connection) ?? 1) - 1);
        const rest = (byHost.get(host) ?? 1) - 1;
        if (rest > 0) byHost.set(host, rest);
        else byHost.delete(host);
      };
    },
  };
}

const NO_CONNECTION = {};

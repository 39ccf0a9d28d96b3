/** Answers that clients do not take. A network that reads too slowly loses the connections that have kept their answers longest. */

import type { ConnectionRegistry, OpenNetwork } from './connection-registry.ts';
import type { ServerLimits } from './node-server.ts';

/** Closes connections until their network and the server keep within their limits. */
export function closeUnread(registry: ConnectionRegistry, limits: ServerLimits): void {
  const unread = [...registry.busy].filter(({ socket }) => socket.writableLength > 0);
  const ofNetworks = new Map<OpenNetwork | null, number>();
  let total = 0;
  for (const { socket, network } of unread) {
    ofNetworks.set(network, (ofNetworks.get(network) ?? 0) + socket.writableLength);
    total += socket.writableLength;
  }
  for (const connection of unread) {
    const { socket, network } = connection;
    const bytes = socket.writableLength;
    const ofNetwork = ofNetworks.get(network) ?? 0;
    const isTooMuch = network !== null && ofNetwork > limits.maxUnreadBytesPerNetwork;
    if (!isTooMuch && total <= limits.maxUnreadBytes) continue;
    ofNetworks.set(network, ofNetwork - bytes);
    total -= bytes;
    registry.close(connection, 'unread');
  }
}

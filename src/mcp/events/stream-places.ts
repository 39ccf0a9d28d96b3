/** How many streams may be open: of all callers, and of one network. */

import { hostNetwork } from '../../values/ip-network.ts';
import { McpError } from '../protocol/errors.ts';

/** Throws `McpError`. Gives what closes the place again. */
export type TakePlace = (address: string) => () => void;

export function createStreamPlaces({ maxStreams, perNetwork }: { maxStreams: number; perNetwork: number }): TakePlace {
  const streamsOf = new Map<string, number>();
  let open = 0;
  return (address) => {
    const network = hostNetwork(address);
    const own = streamsOf.get(network) ?? 0;
    if (open >= maxStreams || own >= perNetwork) {
      const data = { limit: 'streams', max: own >= perNetwork ? perNetwork : maxStreams };
      throw new McpError('event_exhausted', 'too many streams are open', data);
    }
    open += 1;
    streamsOf.set(network, own + 1);
    return () => {
      open -= 1;
      const left = (streamsOf.get(network) ?? 1) - 1;
      if (left > 0) streamsOf.set(network, left);
      else streamsOf.delete(network);
    };
  };
}

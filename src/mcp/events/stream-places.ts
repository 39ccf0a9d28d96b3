/** How many streams may be open: of all callers, and of one address. */

import { McpError } from '../protocol/errors.ts';

/** Throws `McpError`. Gives what closes the place again. */
export type TakePlace = (address: string) => () => void;

export function createStreamPlaces({ maxStreams, perAddress }: { maxStreams: number; perAddress: number }): TakePlace {
  const streamsOf = new Map<string, number>();
  let open = 0;
  return (address) => {
    const own = streamsOf.get(address) ?? 0;
    if (open >= maxStreams || own >= perAddress) throw new McpError('event_exhausted', 'too many streams are open');
    open += 1;
    streamsOf.set(address, own + 1);
    return () => {
      open -= 1;
      const left = (streamsOf.get(address) ?? 1) - 1;
      if (left > 0) streamsOf.set(address, left);
      else streamsOf.delete(address);
    };
  };
}

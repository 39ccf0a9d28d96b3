// Every request that Marquee makes of others. An address from a stranger enters (a source, a webhook, an image); the bytes that answered
// leave, or one sentence why not. Only public addresses are reached, whatever names and redirects say, within limits of time and size;
// an operator's list opens private hosts. Imports nothing of ours. docs/outbound.md tells the rules and the limits.
export { isAllowedHost } from './check-address.ts';
export type { FetchOutcome, Outbound, OutboundCode, OutboundRequest } from './model.ts';
export { type OutboundOptions, openOutbound } from './open-outbound.ts';

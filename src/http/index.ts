// HTTP: connections and their limits, refusals below and outside the API, health checks, an orderly stop.
// Bytes of clients enter; requests within all limits leave, to the API and to the routes that other rooms mount.
// `createServer` gives the server; `main.ts` mounts the rooms and lets it listen.
export { createServer, type Server } from './create-server.ts';
export { describeListenFault } from './listen-fault.ts';
export type { ServerLimits } from './node-server.ts';
export type { PageLimits } from './page-limits.ts';

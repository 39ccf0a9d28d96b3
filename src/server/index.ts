// The server: connections and their limits, refusals below and outside the API, health checks, periodic jobs, start and stop.
// Bytes of clients enter; requests within all limits leave, to the API and to the routes that other rooms mount.
// `jobs.ts` is the table of what a worker does by the clock.

export { type ClaimedAddress, claimAddress, type ListenAddress, refusedPort } from './claim-address.ts';
export type { ServerLimits } from './connections/node-server.ts';
export { createServer, type Server } from './create-server.ts';
export { startJobs } from './jobs.ts';
export type { PageLimits } from './page-limits.ts';
export { createSecurityTxt } from './requests/security-txt.ts';

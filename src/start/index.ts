// Where a service is put together. Settings and a role enter; a running service leaves, with one way to close it.
// Every room is opened once, in order of dependence, and closed in the reverse order.
// Nothing here decides anything about events, keys or requests: it only hands the rooms to each other.
export { type ServeOptions, type Service, startService } from './start-service.ts';

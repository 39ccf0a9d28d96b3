// Port Alder, a city that does not exist, so that a fresh service has something worth looking at.
// A moment and a seed enter; a city bundle in memory leaves, the same for the same day and seed.
// Everything is invented: no person, place, brand or performer is meant.
export { DEMO_CITY, demoBundle } from './demo-bundle.ts';
export type { EventLine } from './events.ts';
export type { VenueLine } from './venues.ts';

// Sources that a web address leads to. An address enters, with the ways to ask and to read and a city's zone.
// Candidates leave, each a kind and a location that `source add` takes, with the events that its provider read there, best first.
// What one page names, unread, leaves too: a run tells it of a page without events.
export { FINDING_LIMITS, findSources } from './find-sources.ts';
export type { Finding, FindingContext, SampleEvent, SourceCandidate } from './model.ts';
export { namedCalendars } from './named-calendars.ts';
export { createPace } from './pace.ts';

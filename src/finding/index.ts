// Sources that a web address leads to. An address enters, with the ways to ask and to read, and a city's zone. Candidates leave, best
// first: each is a kind and a location that `source add` takes, with the events that its provider read there. Requests are few and slow.
// docs/finding-sources.md tells the rules.
export { FINDING_LIMITS, findSources } from './find-sources.ts';
export type { FindingContext, FoundSources, SampleEvent, SourceCandidate } from './model.ts';
export { namedCalendars } from './named-calendars.ts';
export { createPace } from './pace.ts';

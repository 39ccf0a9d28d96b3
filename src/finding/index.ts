// Sources that a web address leads to. An address enters, with the ways to ask and to read and a city's zone; candidates leave, each a
// kind and a location that `source add` takes, with the events that its provider read there, best first. docs/finding-sources.md.
export { FINDING_LIMITS, findSources } from './find-sources.ts';
export type { Finding, FindingContext, SampleEvent, SourceCandidate } from './model.ts';
export { createPace } from './pace.ts';

// Traces and metrics for a collector of OpenTelemetry.
// What happened comes in as spans that are over, and metrics as the registry has them; both leave over OTLP/HTTP, and nobody waits for it.
// The libraries are loaded only if a collector is set.

export { openTelemetry, type Telemetry } from './open-telemetry.ts';
export {
  addQueries,
  createQueryNotes,
  describeQueries,
  noteQueriesIn,
  noteQuery,
  type QueryNotes,
  traceWork,
} from './query-notes.ts';
export { parseTelemetryPlace, type TelemetryPlace } from './telemetry-place.ts';
export { type FinishedSpan, type Tracing, timeOf } from './tracing.ts';

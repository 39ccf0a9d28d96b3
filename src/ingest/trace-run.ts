/** A run of a source as a span, with its steps. */

import { describeQueries, type Tracing, timeOf } from '../telemetry/index.ts';
import type { StepTimes } from './run/source-run.ts';
import type { SourceReport } from './stored-runs/run-report.ts';

/** `run` is given a listener only if runs are traced. */
export async function traceRun(
  tracing: Tracing | null,
  source: string,
  run: (onStep?: (step: StepTimes) => void) => Promise<SourceReport>,
): Promise<SourceReport> {
  if (!tracing) return run();
  const steps: StepTimes[] = [];
  const startedAt = timeOf(performance.now());
  const record = (outcome: 'done' | 'held' | 'failed') =>
    tracing.record({
      name: 'run of a source',
      kind: 'internal',
      startedAt,
      endedAt: timeOf(performance.now()),
      // The operator's own name of it.
      attributes: { 'marquee.source': source, 'marquee.outcome': outcome },
      isError: outcome === 'failed',
      steps: steps.map(({ queries, ...step }) => ({ ...step, kind: 'internal', ...describeQueries(queries) })),
    });
  try {
    const report = await run((step) => void steps.push(step));
    record(report.held === null ? 'done' : 'held');
    return report;
  } catch (error) {
    record('failed');
    throw error;
  }
}

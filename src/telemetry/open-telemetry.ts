/** Opens the way to the collector. */

import type { Log } from '../log.ts';
import type { TelemetryPlace } from './telemetry-place.ts';
import type { Tracing } from './tracing.ts';

export interface Telemetry {
  /** Null: nothing is traced. */
  tracing: Tracing | null;
  /** Sends from now on what `read` gives, once a minute. To be called once. */
  sendMetrics(read: () => Promise<MetricFigures[]>): void;
  /** Sends what waits, for three seconds at most. */
  close(): Promise<void>;
}

/** A metric as `prom-client` reads it. */
export interface MetricFigures {
  name: string;
  help: string;
  type: unknown;
  values: readonly { value: number; labels: Readonly<Record<string, string | number | undefined>>; metricName?: string }[];
}

/** This alone loads the libraries, and only for a place. */
export async function openTelemetry(place: TelemetryPlace | null, log: Log): Promise<Telemetry> {
  if (!place) return NOWHERE;
  const { startTelemetry } = await import('./start-telemetry.ts');
  return startTelemetry(place, log);
}

const NOWHERE: Telemetry = { tracing: null, sendMetrics: () => undefined, close: async () => undefined };

/** The SDK of OpenTelemetry. Loaded by `open-telemetry.ts` alone. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Context, type HrTime, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, ValueType } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, millisToHrTime, parseTraceParent } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import type { MetricFigures, Telemetry } from './open-telemetry.ts';
import type { TelemetryPlace } from './telemetry-place.ts';
import type { FinishedStep } from './tracing.ts';

export function startTelemetry({ endpoint, headers, serviceName, sampledShare, userAgent }: TelemetryPlace, log: Log): Telemetry {
  const version = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': randomUUID(),
  });
  const transport = (path: string) => ({
    url: `${endpoint}${path}`,
    headers: { ...headers },
    userAgent,
    timeoutMillis: EXPORT_MS,
  });
  const traces = new TracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: watched(new OTLPTraceExporter(transport('/v1/traces')), 'traces', log),
        maxQueueSize: MAX_WAITING_SPANS,
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  });
  const tracer = traces.getTracer('marquee', version);
  let meters: MeterProvider | null = null;

  function record(
    { name, kind, startedAt, endedAt, attributes, isError = false, steps = [] }: FinishedStep,
    parent: Context,
  ): void {
    const span = tracer.startSpan(name, { kind: KINDS[kind], startTime: startedAt, attributes: { ...attributes } }, parent);
    if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
    const inside = trace.setSpan(ROOT_CONTEXT, span);
    for (const step of steps) record(step, inside);
    span.end(endedAt);
  }

  return {
    tracing: { record: (finished) => record(finished, contextOf(finished.traceparent)) },
    sendMetrics(read) {
      const since = Date.now();
      const scope = { name: 'marquee', version };
      const collect = async () => ({
        resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: toMetricData(await read(), since, Date.now()) }] },
        errors: [],
      });
      const exporter = watched(new OTLPMetricExporter(transport('/v1/metrics')), 'metrics', log);
      const reader = new PeriodicExportingMetricReader({
        exporter,
        metricProducers: [{ collect }],
        exportTimeoutMillis: EXPORT_MS,
      });
      meters = new MeterProvider({ resource, readers: [reader] });
    },
    async close() {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, CLOSE_MS);
      const closing = Promise.all([traces.shutdown(), meters?.shutdown()]).catch(() => undefined);
      await Promise.race([closing, late.promise]);
      clearTimeout(timer);
    },
  };
}

/** The caller's trace, if the header names one (W3C Trace Context §3.2). */
function contextOf(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

interface Exporter<T> {
  export(items: T, done: (result: ExportResult) => void): void;
}

/** Tells the operator once that a collector does not take what it is sent, and once that it does again. */
function watched<T, E extends Exporter<T>>(exporter: E, what: string, log: Log): E {
  let isFailing = false;
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      const hasFailed = result.code !== ExportResultCode.SUCCESS;
      // The error names the collector's answer, and may repeat what was sent.
      if (hasFailed && !isFailing) log.warn({ reason: result.error?.name }, `cannot send ${what} to the collector; trying again`);
      if (!hasFailed && isFailing) log.info(`sending ${what} to the collector again`);
      isFailing = hasFailed;
      done(result);
    });
  return exporter;
}

type Labels = Record<string, string | number>;
type Value = MetricFigures['values'][number];

/** `since`: when counting began; both in milliseconds. Summaries have no form there. */
function toMetricData(all: readonly MetricFigures[], since: number, now: number): MetricData[] {
  const times = { startTime: millisToHrTime(since), endTime: millisToHrTime(now) };
  return all.flatMap((metric): MetricData[] => {
    const { name, help, type, values } = metric;
    const common = {
      descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    const points = () => values.map(({ value, labels }) => ({ ...times, attributes: labelsOf(labels), value }));
    if (values.length === 0) return [];
    if (type === 'counter') return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }];
    if (type === 'gauge') return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() }];
    if (type === 'histogram')
      return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric, times) }];
    return [];
  });
}

function histograms(
  { name, values }: MetricFigures,
  times: { startTime: HrTime; endTime: HrTime },
): HistogramMetricData['dataPoints'] {
  const byLabels = new Map<string, Value[]>();
  for (const value of values) {
    const key = JSON.stringify(Object.entries(labelsOf(value.labels)).sort());
    byLabels.set(key, [...(byLabels.get(key) ?? []), value]);
  }
  return [...byLabels.values()].map((rows) => {
    const of = (ending: string) => rows.find(({ metricName }) => metricName === `${name}_${ending}`)?.value ?? 0;
    const buckets = rows
      .filter(({ metricName }) => metricName === `${name}_bucket`)
      .map(({ labels, value }) => ({ bound: labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le), value }))
      .sort((left, right) => left.bound - right.bound);
    return {
      ...times,
      attributes: labelsOf(rows[0]?.labels ?? {}),
      value: {
        buckets: {
          boundaries: buckets.map(({ bound }) => bound).filter(Number.isFinite),
          // Those of Prometheus are cumulative.
          counts: buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0)),
        },
        count: of('count'),
        sum: of('sum'),
      },
    };
  });
}

/** `le` is the bound of a bucket. */
const labelsOf = (labels: Value['labels']): Labels =>
  Object.fromEntries(
    Object.entries(labels).filter((entry): entry is [string, string | number] => entry[0] !== 'le' && entry[1] !== undefined),
  );

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
const PACKAGE = new URL('../../package.json', import.meta.url);
/** More are dropped: a collector that is away costs no memory. */
const MAX_WAITING_SPANS = 4_096;
const EXPORT_MS = 10_000;
const CLOSE_MS = 3_000;

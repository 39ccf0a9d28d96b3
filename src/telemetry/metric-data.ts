/** The metrics of the registry in the form of OpenTelemetry: the same figures under the same names. */

import type { HrTime } from '@opentelemetry/api';
import { ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { AggregationTemporality, DataPointType, type HistogramMetricData, type MetricData } from '@opentelemetry/sdk-metrics';
import type { MetricFigures } from './open-telemetry.ts';

type Labels = Record<string, string | number>;
type Value = MetricFigures['values'][number];

/** `since`: when counting began; both in milliseconds. Summaries have no form there. */
export function toMetricData(all: readonly MetricFigures[], since: number, now: number): MetricData[] {
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

/** `/status.json`: the report for programs. docs/status.md has its fields. */

import type { ServicePart, SourceFreshness, StatusReport, SurfaceReport } from '../model.ts';

export function writeStatusJson(report: StatusReport): string {
  const { state, at, surfaces, isHistoryComplete, parts, directory, backups, sources, readAt, incidents } = report;
  return JSON.stringify({
    status: state,
    generatedAt: formatInstant(at),
    lastReadAt: formatInstant(readAt),
    isHistoryComplete,
    services: surfaces.map(describeSurface),
    parts: parts.map(({ name, state, since }: ServicePart) => ({ name, status: state, since: formatInstant(since) })),
    directory: {
      events: directory.events,
      venues: directory.venues,
      builtAt: formatInstant(directory.builtAt),
      changedAt: formatInstant(directory.changedAt),
      changesBehind: directory.behind,
    },
    backups: backups && { ...backups, newestAt: formatInstant(backups.newestAt) },
    sources: sources?.map(describeSource) ?? null,
    incidents:
      incidents?.map(({ id, title, impact, state, openedAt, closedAt, updates }) => ({
        id,
        title,
        impact,
        state,
        openedAt: formatInstant(openedAt),
        closedAt: formatInstant(closedAt),
        updates: updates.map(({ at, state, message }) => ({ at: formatInstant(at), state, message })),
      })) ?? null,
  });
}

function describeSurface({ name, state, availability, days }: SurfaceReport) {
  return {
    name,
    status: state,
    availability: share(availability),
    days: days.map((day) => ({
      date: day.date,
      availability: share(day.availability),
      minutes: day.counted,
      minutesDown: day.down,
      requests: day.answers,
      failed: day.failed,
      slow: day.slow,
      p50Ms: day.p50,
      p95Ms: day.p95,
      p99Ms: day.p99,
    })),
  };
}

const describeSource = ({ name, state, readAt, ageSeconds, everySeconds }: SourceFreshness) => ({
  name,
  state,
  lastReadAt: formatInstant(readAt),
  ageSeconds,
  everySeconds,
});

/** Rounded down: what was not whole is never shown as whole. */
const share = (value: number | null): number | null => (value === null ? null : Math.floor(value * PRECISION) / PRECISION);

/** `2026-11-21T20:00:00Z` */
const formatInstant = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : `${new Date(milliseconds).toISOString().slice(0, -5)}Z`;

const PRECISION = 100_000;

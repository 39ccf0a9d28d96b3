/** The documents about the state of the service, answered by the serving thread from memory: without the pages, and without the database. */

import type { FastifyPluginCallback, FastifyReply } from 'fastify';
import { RSS_TYPE, renderNewsRss } from '../feeds/index.ts';
import type { ServicePart, SourceFreshness, StatusReport, SurfaceReport } from './model.ts';
import type { ServiceStatus } from './open-status.ts';

export function createStatusRoutes(
  status: Pick<ServiceStatus, 'report'>,
  publicUrl: string,
  cityName: () => string,
): FastifyPluginCallback {
  const json = rememberBriefly(async () => writeStatusJson(await status.report()));
  const rss = rememberBriefly(async () => writeStatusRss(await status.report(), publicUrl, cityName()));
  return (app, _options, done) => {
    app.get('/status.json', async (_request, reply) => send(reply, 'application/json', await json()));
    app.get('/status.rss', async (_request, reply) => send(reply, RSS_TYPE, await rss()));
    done();
  };
}

const send = (reply: FastifyReply, type: string, text: string) =>
  reply.headers({ ...HEADERS, 'Content-Type': `${type}; charset=utf-8` }).send(text);

/** However many ask, it is written at most once in a while. */
function rememberBriefly(write: () => Promise<string>): () => Promise<string> {
  let written: Promise<string> | null = null;
  return () => {
    if (written) return written;
    written = write();
    setTimeout(() => {
      written = null;
    }, REMEMBERED_MS).unref();
    return written;
  };
}

/** `/status.json`: the report for programs. docs/status.md has its fields. */
function writeStatusJson(report: StatusReport): string {
  const { state, at, surfaces, isHistoryComplete, parts, directory, backups, sources, credits, readAt, incidents } = report;
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
    credits,
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

/** `/status.rss`: each update of an incident is an item. */
function writeStatusRss({ incidents, at }: StatusReport, publicUrl: string, cityName: string): string {
  const items = (incidents ?? []).flatMap(({ id, title, updates }) =>
    updates.map((update) => ({
      id: `urn:uuid:${update.id}`,
      title: `${title} (${update.state})`,
      url: `${publicUrl}/status#incident-${id}`,
      at: update.at,
      text: update.message,
    })),
  );
  items.sort((a, b) => b.at - a.at);
  return renderNewsRss({
    title: `Marquee for ${cityName}: status`,
    description: 'Incidents and maintenance.',
    homeUrl: `${publicUrl}/status`,
    selfUrl: `${publicUrl}/status.rss`,
    updatedAt: items[0]?.at ?? at,
    items: items.slice(0, MAX_ITEMS),
  });
}

const HEADERS = {
  'Cache-Control': 'no-cache',
  'Access-Control-Allow-Origin': '*',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
const REMEMBERED_MS = 500;
const PRECISION = 100_000;
const MAX_ITEMS = 100;

/**
 * Two customers of providers, each with hundreds of networks, call without a key as much as they can. Callers without a key elsewhere,
 * and keys, go on as usual.
 */

import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { importBundle } from '../../../src/ingest/index.ts';
import { STREAM_LIMITS } from '../../../src/mcp/events/event-methods.ts';
import { MCP_LIMITS } from '../../../src/mcp/http/mcp-limits.ts';
import { PAGE_LIMITS } from '../../../src/server/page-limits.ts';
import { eventLine, venueLine } from '../../support/records/bundle.ts';
import type { Context, Service } from '../context.ts';
import { BOTH, EMBEDDED, type Experiment, openVerdict } from '../experiment.ts';
import { formatStatuses, type GoodClientReport, goodputOf, startGoodClient } from '../good-client.ts';
import type { Load } from '../thread.ts';
import { holdStream, PROXY, type PreparedCall, statusOf } from './call.ts';
import { type CrowdReport, type CrowdSite, startKeylessCrowd } from './keyless-crowd.ts';
import { prepareDocument, prepareMcp } from './prepared-calls.ts';

export const keylessCallers: Experiment = {
  name: 'callers without a key',
  engines: BOTH,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    const service = await context.start({ env: { MARQUEE_TRUST_PROXY: PROXY } });
    const [steady, enterprise] = await context.makeKeys(2);
    const agent = new Agent();
    context.onClose(() => agent.destroy());
    const key = enterprise?.key ?? '';
    const elsewhere = { port: service.port, agent, address: ELSEWHERE };
    const before = await holdStream(STREAM, { ...elsewhere, key });
    const images = await shareImages(service, key);
    const crowd = await startKeylessCrowd({ port: service.port, sites: sitesWith(images), stream: STREAM, call: CALL });
    // All places of the sites are taken.
    const others = {
      'the stream of a key from before': before,
      'the stream of a key': await holdStream(STREAM, { ...elsewhere, key }),
      'the stream of a network elsewhere': await holdStream(STREAM, elsewhere),
    };
    const client = await startGoodClient({ url: service.url, key: steady?.key ?? '', rate: RATE });
    const beside = await askBeside(elsewhere, key, context.short ? 5_000 : 90_000);
    const { report, reports, streamsSaw } = await finish(context, { client, crowd, others });
    for (const [name, saw] of Object.entries(streamsSaw)) verdict.require(saw, `${name} missed a change`);
    for (const [name, statuses] of Object.entries(beside))
      verdict.require(isAllOk(statuses), `${name} got ${formatStatuses(statuses)}`);
    for (const site of reports) for (const failure of faultsOf(site)) verdict.require(false, `${site.name}: ${failure}`);
    const { goodput, p99 } = goodputOf(report);
    verdict.require(goodput === 1, `a client with a key got ${formatStatuses(report.statuses)}`);
    if (!context.short) verdict.require(p99 < MAX_P99_MS, `p99 of a client with a key is ${p99.toFixed(0)} ms, wanted 50 ms`);
    verdict.require(service.isRunning(), 'the service ended');
    return {
      figures: `${reports.map(formatSite).join('; ')}. Elsewhere without a key ${formatStatuses(beside['a network elsewhere'])}, with a key ${formatStatuses(beside['a key'])}, ${Object.values(streamsSaw).filter(Boolean).length} of 3 streams told of a change; API p99 ${p99.toFixed(1)} ms (${formatStatuses(report.statuses)})`,
      failures: verdict.failures,
    };
  },
};

interface Running {
  client: Load<GoodClientReport>;
  crowd: Load<CrowdReport[]>;
  others: Record<string, Awaited<ReturnType<typeof holdStream>>>;
}

/** A change arrives on each stream of the others while the crowd is still there. */
async function finish(context: Context, { client, crowd, others }: Running) {
  const title = 'Said to all streams';
  const event = eventLine('said-to-all', { title, startDatetime: '2030-06-20T20:00' });
  await importBundle({ store: context.connect(), bundle: { venues: [venueLine('cellar')], events: [event] } });
  const heard = () => Object.values(others).every((stream) => stream?.text().includes(title));
  for (const ends = performance.now() + PATIENCE_MS; !heard() && performance.now() < ends; ) await pause(50);
  const streamsSaw = Object.fromEntries(
    Object.entries(others).map(([name, stream]) => [name, stream?.isOpen() === true && stream.text().includes(title)]),
  );
  const [report, reports] = await Promise.all([client.stop(), crowd.stop()]);
  return { report, reports, streamsSaw };
}

/** What callers elsewhere are answered meanwhile, at the pace of somebody who uses it. */
async function askBeside(elsewhere: Parameters<typeof statusOf>[1], key: string, ms: number) {
  const answers = { 'a network elsewhere': {} as Record<number, number>, 'a key': {} as Record<number, number> };
  const count = async (name: keyof typeof answers, call: PreparedCall, from = elsewhere) => {
    const status = await statusOf(call, from);
    answers[name][status] = (answers[name][status] ?? 0) + 1;
  };
  for (const ends = performance.now() + ms; performance.now() < ends; await pause(PACE_MS)) {
    await count('a network elsewhere', CALL);
    for (const document of DOCUMENTS) await count('a network elsewhere', document);
    await count('a key', CALL, { ...elsewhere, key });
  }
  return answers;
}

/** Sentences of what a site got beyond its share, or did not ask for. */
function faultsOf({ streams, admittedAt, calls, documents, served, seconds }: CrowdReport): string[] {
  const verdict = openVerdict();
  verdict.require(streams <= STREAM_LIMITS.ofSite, `${streams} streams, wanted ${STREAM_LIMITS.ofSite} at most`);
  const most = mostInMinute(admittedAt);
  verdict.require(most <= MCP_LIMITS.callsPerSite, `${most} calls in a minute, wanted ${MCP_LIMITS.callsPerSite} at most`);
  const spentMs = spentOn(served);
  const mayMs = PAGE_LIMITS.documentBurstMs + PAGE_LIMITS.documentPerSecondMs * seconds;
  verdict.require(spentMs <= mayMs, `documents for ${spentMs} ms, wanted ${mayMs.toFixed(0)} ms at most`);
  const wasRefused = (calls[429] ?? 0) > 0 && (documents[429] ?? 0) > 0;
  verdict.require(wasRefused && streams > 0, 'no limit was met, so nothing was shown');
  return verdict.failures;
}

/** A share image is drawn once. */
const spentOn = (served: Record<string, number>): number =>
  Object.entries(served).reduce((sum, [path, times]) => sum + times + (path.endsWith('/share.png') ? SHARE_IMAGE_MS : 0), 0);

function mostInMinute(times: readonly number[]): number {
  const sorted = times.toSorted((left, right) => left - right);
  let [from, most] = [0, 0];
  for (const [index, time] of sorted.entries()) {
    while ((sorted[from] ?? time) <= time - MINUTE_MS) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}

function formatSite({ name, streams, admittedAt, calls, documents, served }: CrowdReport): string {
  return `${name}: ${streams} streams, ${mostInMinute(admittedAt)} calls in a minute (${formatStatuses(calls)}), documents for ${(spentOn(served) / 1_000).toFixed(1)} s (${formatStatuses(documents)})`;
}

const isAllOk = (statuses: Record<number, number>): boolean => Object.keys(statuses).join() === '200';

/** Share images that nobody has drawn yet. */
async function shareImages({ url }: Service, key: string): Promise<PreparedCall[]> {
  const answer = await fetch(`${url}/api/v1/events?limit=100`, { headers: { 'x-api-key': key } });
  const { data } = (await answer.json()) as { data: { id: string }[] };
  return data.map(({ id }) => prepareDocument(`/images/${id}/new/share.png`));
}

/** Each draws images of its own: what is drawn already costs little. */
function sitesWith(images: readonly PreparedCall[]): CrowdSite[] {
  const networks = Array.from({ length: 250 }, (_, number) => number + 1);
  const addresses = {
    'an IPv6 /48': (n: number) => `2001:db8:1:${n.toString(16)}::1`,
    'an IPv4 /24': (n: number) => `203.0.113.${n}`,
  };
  return Object.entries(addresses).map(([name, addressOf], index) => ({
    name,
    addresses: networks.map(addressOf),
    images: images.filter((_, number) => number % 2 === index),
    documents: DOCUMENTS,
  }));
}

const DOCUMENTS = ['/posters/concert-1f0c9a3e.svg', '/status.json', '/openapi.json', '/embed/v1/marquee-events.js'].map(
  prepareDocument,
);
const STREAM = prepareMcp('events/stream', { name: 'event.created', arguments: {}, cursor: null });
const CALL = prepareMcp('tools/call', { name: 'search_events', arguments: {} });
const ELSEWHERE = '198.51.100.7';
const RATE = 15;
/** Of a caller elsewhere: less than a network may call in a minute. */
const PACE_MS = 1_500;
const MAX_P99_MS = 50;
const PATIENCE_MS = 20_000;
const MINUTE_MS = 60_000;
/** As `pictures` charges for one. */
const SHARE_IMAGE_MS = 140;

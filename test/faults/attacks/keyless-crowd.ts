/** Callers without a key from all networks of some sites, in a thread of its own: they take as many streams, calls and documents as they get. */

import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Load, serveLoad, startLoad } from '../thread.ts';
import { holdStream, type PreparedCall, statusOf } from './call.ts';

export interface CrowdSite {
  name: string;
  /** An address in each of its networks. */
  addresses: readonly string[];
  /** Share images that nobody has drawn yet. */
  images: readonly PreparedCall[];
  documents: readonly PreparedCall[];
}

export interface CrowdOfSites {
  port: number;
  sites: readonly CrowdSite[];
  stream: PreparedCall;
  call: PreparedCall;
}

export interface CrowdReport {
  name: string;
  /** Streams that were open at the end. */
  streams: number;
  /** Times of the calls that were answered with 200, streams included, in ms. */
  admittedAt: number[];
  calls: Record<number, number>;
  documents: Record<number, number>;
  /** How often a document was served, by its path. */
  served: Record<string, number>;
  seconds: number;
}

/** Resolves when the streams are held. */
export const startKeylessCrowd = (crowd: CrowdOfSites): Promise<Load<CrowdReport[]>> => startLoad(import.meta.url, crowd);

serveLoad<CrowdOfSites, CrowdReport[]>(import.meta.url, async ({ port, sites, stream, call }) => {
  const agents = { streams: new Agent(), calls: new Agent({ keepAlive: true }) };
  let ended = false;
  const crowds = await Promise.all(sites.map(enter));

  async function enter(site: CrowdSite): Promise<() => CrowdReport> {
    const { name, addresses, images } = site;
    const documents = [...site.documents, ...images];
    const begun = performance.now();
    const report: CrowdReport = { name, streams: 0, admittedAt: [], calls: {}, documents: {}, served: {}, seconds: 0 };
    const attempts = addresses.slice(0, STREAMS_TRIED).map(async (address) => {
      const held = await holdStream(stream, { port, agent: agents.streams, address });
      if (held) report.admittedAt.push(performance.now());
      return held;
    });
    const streams = await Promise.all(attempts);
    let turn = 0;
    const nextAddress = () => addresses[turn++ % addresses.length] ?? '';
    const keepAsking = async (ask: () => Promise<number>) => {
      while (!ended) if ((await ask()) === 0) await pause(50);
    };
    const askTool = async () => {
      const status = await statusOf(call, { port, agent: agents.calls, address: nextAddress() });
      report.calls[status] = (report.calls[status] ?? 0) + 1;
      if (status === 200) report.admittedAt.push(performance.now());
      return status;
    };
    const read = async (document: PreparedCall) => {
      const status = await statusOf(document, { port, agent: agents.calls, address: nextAddress() });
      // What is broken off at the end was not refused.
      if (ended) return status;
      report.documents[status] = (report.documents[status] ?? 0) + 1;
      if (status === 200) report.served[document.path] = (report.served[document.path] ?? 0) + 1;
      return status;
    };
    // Those that cost most come first, all at once.
    for (const image of images) void read(image);
    let reads = 0;
    const readNext = async () => {
      const document = documents[reads++ % documents.length];
      return document ? await read(document) : 0;
    };
    for (let caller = 0; caller < CALLERS; caller += 1) void keepAsking(askTool);
    for (let reader = 0; reader < READERS; reader += 1) void keepAsking(readNext);
    return () => ({
      ...report,
      streams: streams.filter((held) => held?.isOpen()).length,
      seconds: (performance.now() - begun) / 1_000,
    });
  }

  return () => {
    ended = true;
    const reports = crowds.map((end) => end());
    for (const agent of Object.values(agents)) agent.destroy();
    return reports;
  };
});

/** More than a site may hold. */
const STREAMS_TRIED = 80;
const CALLERS = 8;
const READERS = 12;

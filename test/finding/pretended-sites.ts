/** Invented sites behind one server, told apart by their names, and `findSources` on a clock that waits for nobody. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPace, FINDING_LIMITS, type FoundSources, findSources } from '../../src/finding/index.ts';
import { openOutbound } from '../../src/outbound/index.ts';
import type { Reader } from '../../src/providers/index.ts';
import { pretendInternet } from '../support/network/pretended-internet.ts';

export interface Served {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}
/** By path and query; a function is asked for every path that the others lack. */
export type Site = Record<string, Served | string> & { '*'?: never };
export interface SiteSet {
  [host: string]: { pages: Site; rest?: (path: string) => Served | string | null; https?: true };
}

export interface SentRequest {
  host: string;
  path: string;
  agent: string;
  /** Milliseconds on the clock of the test. */
  at: number;
}

export interface PretendedSites {
  find(address: string, options?: { maxRequests?: number; onRequest?: (url: string) => void }): Promise<FoundSources>;
  sent: SentRequest[];
  /** Milliseconds that were waited so far. */
  waited(): number;
  close(): Promise<void>;
}

const NOW = Date.parse('2031-05-05T16:00:00Z');

/** `reader`: is not closed with it. */
export async function pretendSites(
  sites: SiteSet,
  reader: Reader,
  allowedHosts: readonly string[] = [],
): Promise<PretendedSites> {
  const sent: SentRequest[] = [];
  let clock = 0;
  const server = createServer((request, response) => answer(sites, request, response, sent, clock));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const places = Object.fromEntries(Object.keys(sites).map((host) => [`${host}:80`, port]));
  const outbound = openOutbound({
    ...pretendInternet(places),
    allowedHosts,
    limits: FINDING_LIMITS,
    userAgent: 'Marquee/1 (+https://example.org)',
    now: () => NOW + clock,
  });
  const pace = createPace(
    () => clock,
    async (ms) => {
      clock += ms;
    },
  );
  return {
    sent,
    waited: () => clock,
    find: (address, options = {}) =>
      findSources(address, {
        outbound,
        reader,
        pace,
        city: { name: 'Fennport', zone: 'America/Chicago', locale: 'en-US' },
        now: () => NOW,
        ...options,
      }),
    async close() {
      await outbound.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(sites: SiteSet, request: IncomingMessage, response: ServerResponse, sent: SentRequest[], at: number): void {
  const host = request.headers.host ?? '';
  const path = request.url ?? '/';
  sent.push({ host, path, agent: request.headers['user-agent'] ?? '', at });
  const site = sites[host];
  const found = site?.pages[path] ?? site?.rest?.(path) ?? { status: 404, body: '<title>Not found</title>' };
  const { status = 200, type = 'text/html', headers = {}, body = '' } = typeof found === 'string' ? { body: found } : found;
  response.writeHead(status, { 'content-type': type, ...headers }).end(body);
}

/** A page of a site with these links and this text. */
export function page(title: string, ...content: string[]): string {
  return `<!doctype html><html><head><title>${title}</title></head><body>${content.join('\n')}<a href="/privacy">Privacy</a></body></html>`;
}

export const link = (href: string, text: string): string => `<a href="${href}">${text}</a>`;

/** `days`: of May 2031. */
export function calendar(name: string, title: string, days: readonly number[]): Served {
  const events = days.map((day) => {
    const start = `203105${String(day).padStart(2, '0')}T190000`;
    return `BEGIN:VEVENT\r\nUID:${name}-${title}-${day}\r\nDTSTAMP:20310501T000000Z\r\nDTSTART:${start}\r\nSUMMARY:${title}\r\nLOCATION:Fenn Hall\\, 4 Reed St\r\nEND:VEVENT\r\n`;
  });
  const body = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nX-WR-CALNAME:${name}\r\n${events.join('')}END:VCALENDAR\r\n`;
  return { type: 'text/calendar', body };
}

/** JSON-LD of events of May 2031, or of another month. */
export function described(title: string, days: readonly number[], month = '2031-05'): string {
  const events = days.map((day) => ({
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: title,
    startDate: `${month}-${String(day).padStart(2, '0')}T19:00:00-05:00`,
    location: { '@type': 'Place', name: 'Fenn Hall', address: '4 Reed St' },
  }));
  return `<script type="application/ld+json">${JSON.stringify(events)}</script>`;
}

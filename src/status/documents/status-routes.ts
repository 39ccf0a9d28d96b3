/** The documents about the state of the service, answered by the serving thread from memory: without the pages, and without the database. */

import type { FastifyPluginCallback, FastifyReply } from 'fastify';
import { RSS_TYPE } from '../../feeds/index.ts';
import type { ServiceStatus } from '../open-status.ts';
import { writeStatusJson } from './status-json.ts';
import { writeStatusRss } from './status-rss.ts';

export interface StatusRoutesOptions {
  status: Pick<ServiceStatus, 'report'>;
  publicUrl: string;
  cityName(): string;
}

export function createStatusRoutes({ status, publicUrl, cityName }: StatusRoutesOptions): FastifyPluginCallback {
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

const HEADERS = {
  'Cache-Control': 'no-cache',
  'Access-Control-Allow-Origin': '*',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
const REMEMBERED_MS = 500;

/** A host of pictures on loopback, with all that such hosts do wrong. */

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';

export interface ImageHost {
  /** Without a trailing slash. */
  url: string;
  /** `127.0.0.1:port`, for the list of allowed hosts. */
  host: string;
  /** Paths that were asked for, with the headers. */
  asked: { path: string; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

/** `answers` by path; a path without an answer is 404. */
export async function openImageHost(answers: Record<string, (response: ServerResponse) => void>): Promise<ImageHost> {
  const asked: ImageHost['asked'] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ path: url, headers });
    const answer = answers[url];
    if (answer) answer(response);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const sendBytes =
  (bytes: Uint8Array, type = 'image/jpeg') =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': type }).end(bytes);

/** Half red, half blue: a cut or a turn would show. */
export function photo(width: number, height: number, format: 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' = 'jpeg'): Promise<Buffer> {
  const half = { create: { width: Math.ceil(width / 2), height, channels: 3 as const, background: '#0000ff' } };
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([{ input: half, left: Math.floor(width / 2), top: 0 }])
    .toFormat(format)
    .toBuffer();
}

/** A PNG of a few bytes that says it has 900 million pixels. */
export function pixelBomb(): Buffer {
  const size = Buffer.alloc(13);
  size.writeUInt32BE(30_000, 0);
  size.writeUInt32BE(30_000, 4);
  size.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', size), chunk('IDAT', ZEROS), chunk('IEND')]);
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A zlib stream of nothing. */
const ZEROS = Buffer.from('789c030000000001', 'hex');

/**
 * `GET /images/{event id}/{version}/{width}.webp` and `…/share.png`. The address of a source's picture comes from the directory alone:
 * no request can make this service fetch anything else.
 */

import { hash } from 'node:crypto';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag, type Problem, type Refuse } from '../http/index.ts';
import type { Snapshot } from '../search/index.ts';
import { PICTURE_WIDTHS, type PicturedEvent, pictureVersion, posterPath, sourcePictureOf } from './picture-of.ts';
import type { Pictures } from './pictures.ts';
import { posterSvg } from './posters/poster.ts';
import { POSTER_HEADERS } from './posters/poster-routes.ts';
import { type SharedEvent, shareFactsOf, shareVersion } from './share-facts.ts';

export interface PictureRoutesOptions {
  pictures: Pictures;
  current(): Snapshot;
  /** Without a trailing slash. */
  publicUrl: string;
  /** As `Server.takeCost` and `Server.refuse`. */
  takeCost(address: string, costMs: number): Problem | null;
  refuse: Refuse;
}

type ImageRequest = FastifyRequest<{ Params: { id: string; version: string; file: string } }>;

export function createPictureRoutes(options: PictureRoutesOptions): FastifyPluginCallback {
  const { pictures, current, publicUrl, takeCost, refuse } = options;

  async function answer(request: ImageRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id, version, file } = request.params;
    const snapshot = current();
    const event = findEvent(snapshot, id);
    if (!event) return notFound(reply);
    if (file === 'share.png') return answerShare(request, reply, { snapshot, event });
    const width = PICTURE_WIDTHS.find((each) => file === `${each}.webp`);
    const source = sourcePictureOf(event.imageUrl, publicUrl);
    if (!width || !source) return notFound(reply);
    const bytes = await pictures.readPicture(source, width);
    if (!bytes) return sendPoster(reply, event);
    return send(request, reply, { bytes, type: 'image/webp', isCurrent: version === pictureVersion(source) });
  }

  async function answerShare(
    request: ImageRequest,
    reply: FastifyReply,
    { snapshot, event }: { snapshot: Snapshot; event: SharedEvent },
  ): Promise<FastifyReply> {
    const facts = shareFactsOf(event, snapshot.city);
    const source = sourcePictureOf(event.imageUrl, publicUrl);
    let problem: Problem | null = null;
    const mayDraw = (): boolean => {
      problem = takeCost(request.ip, SHARE_IMAGE_MS);
      return problem === null;
    };
    const image = await pictures.readShareImage(facts, source, mayDraw);
    if (problem !== null) {
      refuse(request, reply, problem);
      return reply;
    }
    if (!image) return sendPoster(reply, event);
    const isCurrent = image.isWhole && request.params.version === shareVersion(facts, source);
    return send(request, reply, { bytes: image.bytes, type: 'image/png', isCurrent });
  }

  return (scope, _options, done) => {
    scope.get('/images/:id/:version/:file', answer);
    done();
  };
}

/** With everything that a share image says; null for what the directory does not list. */
function findEvent(snapshot: Snapshot, id: string): SharedEvent | null {
  if (!UUID.test(id)) return null;
  const found = snapshot.event(id);
  const lookup = found.found === 'merged' ? snapshot.event(found.into) : found;
  if (lookup.found !== 'published') return null;
  const event = JSON.parse(snapshot.writeEvents([lookup.item], 'detail', '', '').toString()) as SharedEvent;
  return { ...event, startPrecision: snapshot.lifecycle(lookup.item).startPrecision };
}

interface ImageAnswer {
  bytes: Buffer;
  type: string;
  /** Whether the address names what is in it now, and always will. */
  isCurrent: boolean;
}

function send({ headers }: FastifyRequest, reply: FastifyReply, { bytes, type, isCurrent }: ImageAnswer): FastifyReply {
  const etag = `"${hash('sha1', bytes, 'base64url')}"`;
  reply.headers({ ...IMAGE_HEADERS, ETag: etag, 'Cache-Control': isCurrent ? FOR_EVER : SHORTLY });
  if (matchesTag(headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.header('Content-Type', type).send(bytes);
}

/** In place of a picture that cannot be had: soon it may. */
function sendPoster(reply: FastifyReply, event: PicturedEvent): FastifyReply {
  const name = posterPath(event).slice('/posters/'.length, -'.svg'.length);
  return reply.headers({ ...POSTER_HEADERS, 'Cache-Control': SHORTLY }).send(posterSvg(name, ''));
}

function notFound(reply: FastifyReply): FastifyReply {
  reply.callNotFound();
  return reply;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Of a processor: what drawing one takes about. */
const SHARE_IMAGE_MS = 140;
const FOR_EVER = 'public, max-age=31536000, immutable';
const SHORTLY = 'public, max-age=300';
/** Pages elsewhere may show them; no site learns from them who reads ours. */
const IMAGE_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
} as const;

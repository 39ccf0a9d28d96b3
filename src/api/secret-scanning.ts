/**
 * Reports of scanners for leaked secrets, in the form of GitHub's partner program: a signed list of what was found comes in, what was
 * genuine goes out.
 */

import { type KeyObject, verify } from 'node:crypto';
import type { FastifyPluginCallback } from 'fastify';
import { retryAfter } from '../http/index.ts';
import type { Log } from '../log.ts';
import { withTimeout } from '../values/waiting/with-timeout.ts';

interface Finding {
  token: string;
  type: string;
  url: string;
}

/**
 * `publicKeys`: ECDSA on P-256; one of them must have signed. `report`: revokes what is ours; rejects where the report must come again.
 * `where`: the address it was found at.
 */
export function createSecretScanning(
  publicKeys: readonly KeyObject[],
  report: (token: string, where: string) => Promise<{ isOurs: boolean }>,
  log: Log,
): FastifyPluginCallback {
  return (room, _options, done) => {
    // The signature is over the bytes, so they must not be read as anything.
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    room.post(PATH, { bodyLimit: MAX_BYTES }, async (request, reply) => {
      reply.header('Cache-Control', 'no-store');
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = request.headers[SIGNATURE];
      if (typeof signature !== 'string' || !isSigned(body, signature, publicKeys)) {
        log.warn({ requestId: request.id }, 'rejected a report of leaked keys: no known scanner signed it');
        return reply.status(401).send({ error: 'no known scanner signed this report' });
      }
      const findings = readFindings(body);
      if (!findings) return reply.status(400).send({ error: 'wanted a list of { token, type, url }' });
      try {
        const labels = await label(findings);
        return reply.send(labels);
      } catch (error) {
        const { code, message } = error as { code?: unknown; message?: unknown };
        log.error({ requestId: request.id, code, reason: message }, 'cannot process a report of leaked keys');
        return reply.status(503).headers(retryAfter(RETRY_AFTER_SECONDS)).send({ error: 'try again later' });
      }
    });
    done();
  };

  async function label(findings: readonly Finding[]) {
    const labels = [];
    for (const { token, type, url } of findings) {
      // Who asks is told in time; the work goes on, so that the owner of a revoked key hears of it.
      const { isOurs } = await withTimeout(report(token, url), PATIENCE_MS);
      labels.push({ token_raw: token, token_type: type, label: isOurs ? 'true_positive' : 'false_positive' });
    }
    return labels;
  }
}

/** ECDSA over P-256 and SHA-256, DER in base64. */
function isSigned(body: Buffer, signature: string, publicKeys: readonly KeyObject[]): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return publicKeys.some((key) => {
    try {
      return verify('sha256', body, key, bytes);
    } catch {
      // A signature that is no DER.
      return false;
    }
  });
}

/** Null when it is something else. */
function readFindings(body: Buffer): Finding[] | null {
  let list: unknown;
  try {
    list = JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
  if (!Array.isArray(list) || list.length > MAX_FINDINGS) return null;
  const findings: Finding[] = [];
  for (const each of list as (Partial<Finding> | null)[]) {
    if (typeof each?.token !== 'string') return null;
    const { token, type, url } = each;
    findings.push({
      token: token.slice(0, MAX_TEXT_LENGTH),
      type: typeof type === 'string' ? type.slice(0, MAX_TEXT_LENGTH) : '',
      url: typeof url === 'string' ? url.slice(0, MAX_TEXT_LENGTH) : '',
    });
  }
  return findings;
}

const PATH = '/secret-scanning';
const PATIENCE_MS = 4_000;
const RETRY_AFTER_SECONDS = 30;
const SIGNATURE = 'github-public-key-signature';
const MAX_BYTES = 262_144;
const MAX_FINDINGS = 1_000;
/** Longer than any key and most addresses. */
const MAX_TEXT_LENGTH = 2_000;

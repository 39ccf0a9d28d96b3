/** Why a fetch came to nothing: thrown within this room, a value outside of it. */

import type { OutboundCode } from './model.ts';

export class Failure extends Error {
  readonly code: OutboundCode;
  readonly status: number | null;
  readonly retryAfterMs: number | null;

  constructor(code: OutboundCode, detail: string, answer: { status?: number; retryAfterMs?: number | null } = {}) {
    super(detail);
    this.name = 'Failure';
    this.code = code;
    this.status = answer.status ?? null;
    this.retryAfterMs = answer.retryAfterMs ?? null;
  }
}

/** Names the errors of Node's sockets, parser and zlib. One without a code is a fault of ours and is thrown again. */
export function toFailure(error: unknown, host: string): Failure {
  if (error instanceof Failure) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  const known = FAULTS.find(({ codes }) => codes.test(code));
  if (!known) throw error;
  return new Failure(known.code, `${host} ${known.says} (${code})`);
}

/** A handshake or a certificate. The class of the error is part of the sentence: an expired certificate is not an attack. */
export function tlsFailure(error: Error, host: string): Failure {
  const code = (error as NodeJS.ErrnoException).code ?? error.name;
  return new Failure('tls', `${host} ${CERTIFICATES[code] ?? 'could not agree on TLS'} (${code})`);
}

const FAULTS: readonly { codes: RegExp; code: OutboundCode; says: string }[] = [
  { codes: /^(?:ENOTFOUND|EAI_\w+|ENODATA|ESERVFAIL)$/, code: 'unresolvable', says: 'has no address' },
  { codes: /^HPE_HEADER_OVERFLOW$/, code: 'too_large', says: 'sent too many headers' },
  { codes: /^HPE_/, code: 'not_http', says: 'does not speak HTTP' },
  { codes: /^(?:Z_|ERR_ZLIB_)/, code: 'encoding', says: 'sent a body that is not what its Content-Encoding says' },
  {
    codes: /^ERR_(?:INVALID_CHAR|HTTP_INVALID_HEADER_VALUE|INVALID_HTTP_TOKEN|UNESCAPED_CHARACTERS)$/,
    code: 'bad_request',
    says: 'cannot be sent these headers',
  },
  { codes: /^ERR_(?:SSL|TLS)_|^EPROTO$/, code: 'tls', says: 'could not agree on TLS' },
  { codes: /^E/, code: 'unreachable', says: 'could not be reached, or closed the connection' },
];
const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that it signed itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate without the chain that proves it',
};

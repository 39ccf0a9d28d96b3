/** Whether clients that open the public URL see a certificate that they trust, and for how long. */

import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { DAY_MS } from '../../values/duration.ts';

export async function describeCertificate(publicUrl: string | null, now = Date.now()): Promise<string> {
  if (publicUrl === null) return 'not checked; MARQUEE_PUBLIC_URL is not set';
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol !== 'https:') return `NONE: ${publicUrl} is not https, so keys and passwords travel readable`;
  const host = hostname.replace(/^\[|\]$/g, '');
  const answer = await readCertificate(host, Number(port || HTTPS_PORT));
  if (typeof answer === 'string') return `DOES NOT ANSWER at ${publicUrl}: ${answer}`;
  const { certificate, fault } = answer;
  const days = Math.floor((Date.parse(certificate.valid_to) - now) / DAY_MS);
  const term = days < 0 ? `ended ${-days} days ago` : `ends in ${days} days`;
  if (fault) return `NOT TRUSTED by clients: ${fault}; it ${term}`;
  return days < MIN_DAYS ? `ENDS SOON: in ${days} days; renew it` : `valid, ${term}`;
}

/** A text says why nobody answered. */
function readCertificate(host: string, port: number): Promise<{ certificate: PeerCertificate; fault: string | null } | string> {
  return new Promise((resolve) => {
    const servername = /^[\d.]+$|:/.test(host) ? '' : host;
    // Looked at, and used for nothing: a certificate that nobody trusts is to be described, too.
    const socket: TLSSocket = connect({ host, port, servername, rejectUnauthorized: false, timeout: PATIENCE_MS });
    const end = (outcome: Parameters<typeof resolve>[0]) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('secureConnect', () => {
      const { authorizationError } = socket;
      end({ certificate: socket.getPeerCertificate(), fault: authorizationError ? String(authorizationError) : null });
    });
    socket.once('timeout', () => end(`no answer within ${PATIENCE_MS / 1000} s`));
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}

const HTTPS_PORT = 443;
const PATIENCE_MS = 5_000;
/** Certificates of 90 days are renewed 30 days before their end. */
const MIN_DAYS = 14;

/** Certificates for tests (RFC 5280), made on the spot: committed ones would expire, and `openssl` is not everywhere. */

import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Certificate {
  /** Both PEM. */
  key: string;
  cert: string;
}

export interface CertificateOptions {
  /** DNS names, or one IPv4 address. */
  names: readonly string[];
  from?: Date;
  until?: Date;
  /** Default: it signs itself. */
  issuer?: Authority;
  /** Bytes of padding, for chains that are too long. */
  padding?: number;
}

export interface Authority extends Certificate {
  name: string;
  privateKey: KeyObject;
}

export function makeAuthority(name: string): Authority {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    name,
    privateKey,
    ...build({ names: [], commonName: name, issuerName: name, signer: privateKey, privateKey, isAuthority: true }),
  };
}

export function makeCertificate(options: CertificateOptions): Certificate {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const commonName = options.names[0] ?? 'nobody';
  const { issuer } = options;
  return build({
    ...options,
    commonName,
    issuerName: issuer?.name ?? commonName,
    signer: issuer?.privateKey ?? privateKey,
    privateKey,
    isAuthority: false,
  });
}

interface Parts extends CertificateOptions {
  commonName: string;
  issuerName: string;
  signer: KeyObject;
  privateKey: KeyObject;
  isAuthority: boolean;
}

function build(parts: Parts): Certificate {
  const { from = new Date(Date.now() - DAY), until = new Date(Date.now() + DAY), signer, privateKey } = parts;
  const names = parts.names.map((name) =>
    /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name)),
  );
  const extensions = [
    extension('551d13', true, sequence(...(parts.isAuthority ? [der(0x01, Buffer.from([0xff]))] : []))),
    ...(names.length > 0 ? [extension('551d11', false, sequence(...names))] : []),
    ...(parts.padding ? [extension('2a0304', false, der(0x04, Buffer.alloc(parts.padding)))] : []),
  ];
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from(String(++serial).padStart(6, '0'))),
    sequence(oid(ECDSA_SHA256)),
    nameOf(parts.issuerName),
    sequence(time(from), time(until)),
    nameOf(parts.commonName),
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', toSign, signer)]);
  const cert = sequence(toSign, sequence(oid(ECDSA_SHA256)), der(0x03, signature)).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const bytes = length.toString(16);
  const long = Buffer.from(bytes.length % 2 ? `0${bytes}` : bytes, 'hex');
  const size = length < 128 ? Buffer.from([length]) : Buffer.concat([Buffer.from([0x80 | long.length]), long]);
  return Buffer.concat([Buffer.from([tag]), size, content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const nameOf = (text: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
const time = (date: Date): Buffer => der(0x18, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`));
const extension = (id: string, isCritical: boolean, value: Buffer): Buffer =>
  sequence(oid(id), ...(isCritical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value));

let serial = 100_000;
const ECDSA_SHA256 = '2a8648ce3d040302';
const DAY = 86_400_000;

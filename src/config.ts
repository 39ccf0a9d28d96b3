/** The settings, read once from the environment. */

import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP, isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { type BackupPlan, readBackupPlan } from './backup-plan.ts';
import { type Clocks, createClocks } from './clock.ts';
import { type MapTiles, readMapTiles } from './map-tiles.ts';
import { type ObjectPlace, parseStorageUrl } from './object-storage/index.ts';
import { isAllowedHost } from './outbound/index.ts';
import { parseRedisPlace, type RedisPlace } from './redis-place.ts';
import { SETTINGS, type Setting, type SettingName } from './settings.ts';
import { parseTelemetryPlace, type TelemetryPlace } from './telemetry/index.ts';
import { parseDatabaseUrl } from './values/database-url.ts';
import { ExpectedError } from './values/expected-error.ts';
import { type GeocoderAddress, parseGeocoderAddress } from './values/geocoder-address.ts';

export { SETTINGS, type SettingName };

export const ROLES = ['all', 'api', 'worker'] as const;
export type Role = (typeof ROLES)[number];

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /** No trailing slash. Null: `http://HOST:PORT` of what is listened on. */
  publicUrl: string | null;
  /** Null: closed. `fixed`: refuse to start when it is taken. */
  metrics: { port: number; fixed: boolean } | null;
  trustProxy: string[] | null;
  /** As `openOutbound` takes them. */
  allowedHosts: readonly string[];
  /** As `openOutbound` takes it: name, version and, if one is known, a contact. */
  userAgent: string;
  /** Null: no geocoder is asked. */
  geocoder: GeocoderAddress | null;
  /** The raw `MARQUEE_NOW`, for worker threads that make clocks of their own. */
  nowSetting: string | undefined;
  clocks: Clocks;
  logLevel: string;
  databaseUrl: string | null;
  /** Null: each process counts limits by itself. */
  redis: RedisPlace | null;
  /** Null: nothing is sent to a collector. */
  telemetry: TelemetryPlace | null;
  isProduction: boolean;
  /** Null: the one of the data folder. */
  secret: string | null;
  /** Null: e-mails become files. Holds a password. */
  smtpUrl: string | null;
  /** `Name <address>` or an address; null: built from the public address. */
  mailFrom: string | null;
  /** A URI; null: nobody is named. */
  securityContact: string | null;
  /** Public keys of scanners for leaked secrets; empty: no reports are taken. */
  scannerKeys: readonly KeyObject[];
  /** Null: billing by hand. */
  stripe: StripeConfig | null;
  /** Null: the data folder. */
  exportPlace: ObjectPlace | null;
  /** Null: no backups are scheduled. */
  backups: BackupPlan | null;
  /** The place of an `s3://` URL that somebody names; throws `ConfigError`. It holds a secret: never log it. */
  readStorageUrl(url: string): ObjectPlace;
  /** Null: neighborhoods are the base of the map. */
  tiles: MapTiles | null;
  /** The key of a provider's API by the name of its setting; null where none is set. */
  keyOf(setting: string): string | null;
  /** All settings as text for a person; secrets only as "set". */
  settings: { name: SettingName; value: string }[];
}

export interface StripeConfig {
  secretKey: string;
  webhookSecret: string;
  prices: { starter: string; growth: string; enterprise: string };
  /** Null: Checkout is shown at Stripe's own domains. */
  checkoutOrigin: string | null;
  /** Null: Stripe itself. */
  apiUrl: string | null;
}

type ReadSetting = (name: SettingName) => string | undefined;

/** A setting with a bad value. The message is one sentence that names the setting, what was wanted and what came. */
export class ConfigError extends ExpectedError {
  constructor(message: string) {
    super('bad_setting', message);
  }
}

/** Throws `ConfigError`. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const read: ReadSetting = (name) => env[name]?.trim() || undefined;
  const nowSetting = read('MARQUEE_NOW');
  if (nowSetting !== undefined && read('NODE_ENV') === 'production') {
    throw new ConfigError('MARQUEE_NOW is for tests and is rejected if NODE_ENV is production');
  }
  const keys: ReadonlyMap<string, string | undefined> = new Map(
    SETTINGS.filter((each) => 'isProviderKey' in each).map(({ name }) => [name, read(name)]),
  );
  return {
    port: readPort('PORT', read('PORT') ?? '3000'),
    host: readHost(read('HOST') ?? '127.0.0.1'),
    dataDir: resolve(read('MARQUEE_DATA_DIR') ?? './data'),
    publicUrl: readPublicUrl(read('MARQUEE_PUBLIC_URL')),
    metrics: readMetrics(read('MARQUEE_METRICS_PORT')),
    trustProxy: readProxies(read('MARQUEE_TRUST_PROXY')),
    allowedHosts: readAllowedHosts(read('MARQUEE_ALLOWED_HOSTS')),
    userAgent: readUserAgent(read),
    geocoder: readGeocoder(read('MARQUEE_GEOCODER')),
    nowSetting,
    clocks: readClocks(nowSetting),
    logLevel: readLogLevel(read('LOG_LEVEL') ?? 'info'),
    databaseUrl: readDatabaseUrl(read('DATABASE_URL')),
    redis: readRedis(read('REDIS_URL')),
    telemetry: readTelemetry(read),
    isProduction: read('NODE_ENV') === 'production',
    secret: readSecret(read('MARQUEE_SECRET')),
    smtpUrl: readSmtpUrl(read('SMTP_URL')),
    mailFrom: readMailFrom(read('MARQUEE_MAIL_FROM')),
    securityContact: readContact('MARQUEE_SECURITY_CONTACT', read),
    scannerKeys: readScannerKeys(read('MARQUEE_SCANNER_KEYS')),
    stripe: readStripe(read),
    exportPlace: exportPlaceOf(read),
    backups: readBackups(read),
    readStorageUrl: (url) => storagePlace(read, 's3://…', url, storageServer(read)),
    tiles: readTiles(read),
    keyOf: (name) => keys.get(name) ?? null,
    settings: SETTINGS.map((setting) => ({ name: setting.name, value: printed(setting, read(setting.name)) })),
  };
}

function printed(setting: Setting, value: string | undefined): string {
  if (value === undefined) return `${setting.fallback} (default)`;
  return setting.secret ? 'set' : value;
}

/** What stands before an @ may be a password. */
const shown = (text: string): string => text.replace(/[^\s,]*@/g, '…@');

function readPort(name: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT) return Number(text);
  throw new ConfigError(`${name} must be a whole number from 0 to ${MAX_PORT}, but is "${text}"`);
}

function readHost(text: string): string {
  if (/^[\w.:-]+$/.test(text)) return text;
  throw new ConfigError(`HOST must be an address or a host name, but is "${shown(text)}"`);
}

function readPublicUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const plain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (url && plain) return url.href.replace(/\/+$/, '');
  throw new ConfigError(
    `MARQUEE_PUBLIC_URL must be an address such as https://events.example.org, without user or password, but is "${shown(text)}"`,
  );
}

/** PEM blocks one after the other, with `\\n` for line ends where a line must do; or the path of a file with them. */
function readScannerKeys(text: string | undefined): KeyObject[] {
  if (text === undefined) return [];
  const pem = text.startsWith('-----BEGIN') ? text.replaceAll('\\n', '\n') : readScannerFile(text);
  const blocks = pem.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  if (blocks.length === 0) throw new ConfigError('MARQUEE_SCANNER_KEYS must hold a "BEGIN PUBLIC KEY" block, but holds none');
  return blocks.map((block, at) => {
    const key = parsePublicKey(block);
    if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
    throw new ConfigError(`MARQUEE_SCANNER_KEYS: key ${at + 1} must be an ECDSA key on the curve P-256`);
  });
}

function readScannerFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`MARQUEE_SCANNER_KEYS: cannot read the file ${path} (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parsePublicKey(pem: string): KeyObject | null {
  try {
    return createPublicKey(pem);
  } catch {
    return null;
  }
}

function readStripe(read: ReadSetting): StripeConfig | null {
  if (read('STRIPE_SECRET_KEY') === undefined) return null;
  const named = (name: SettingName, pattern: RegExp, wanted: string): string => {
    const text = read(name);
    if (text !== undefined && pattern.test(text)) return text;
    // The value may be a secret: it is not repeated.
    throw new ConfigError(`${name} must be ${wanted} because STRIPE_SECRET_KEY is set`);
  };
  const price = (name: SettingName): string => named(name, /^price_\w+$/, 'the id of a price, such as price_1Abc');
  const prices = {
    starter: price('STRIPE_PRICE_STARTER'),
    growth: price('STRIPE_PRICE_GROWTH'),
    enterprise: price('STRIPE_PRICE_ENTERPRISE'),
  };
  if (new Set(Object.values(prices)).size < 3) throw new ConfigError('STRIPE_PRICE_… must be three different prices');
  return {
    secretKey: named('STRIPE_SECRET_KEY', /^[sr]k_\w+$/, 'a secret or restricted key (sk_… or rk_…)'),
    webhookSecret: named('STRIPE_WEBHOOK_SECRET', /^whsec_\S+$/, 'the signing secret of the endpoint (whsec_…)'),
    prices,
    checkoutOrigin: readSecureOrigin('STRIPE_CHECKOUT_ORIGIN', read('STRIPE_CHECKOUT_ORIGIN')),
    apiUrl: readLoopbackUrl('STRIPE_API_URL', read('STRIPE_API_URL')),
  };
}

function exportPlaceOf(read: ReadSetting): ObjectPlace | null {
  const url = read('EXPORT_URL');
  return url === undefined ? null : storagePlace(read, 'EXPORT_URL', url, null);
}

function readBackups(read: ReadSetting): BackupPlan | null {
  const [url, every, keep] = [read('MARQUEE_BACKUP_URL'), read('MARQUEE_BACKUP_EVERY'), read('MARQUEE_BACKUP_KEEP')];
  const plan = readBackupPlan({ url, every, keep }, (address) =>
    storagePlace(read, 'MARQUEE_BACKUP_URL', address, exportPlaceOf(read)),
  );
  if (typeof plan === 'string') throw new ConfigError(plan);
  return plan;
}

/** Of backups, or else of exports. */
function storageServer(read: ReadSetting): ObjectPlace | null {
  const place = readBackups(read)?.place;
  return typeof place === 'object' ? place : exportPlaceOf(read);
}

/** `server`: counts if the URL names no other. */
function storagePlace(read: ReadSetting, name: string, url: string, server: ObjectPlace | null): ObjectPlace {
  const [accessKeyId, secretAccessKey] = [read('AWS_ACCESS_KEY_ID'), read('AWS_SECRET_ACCESS_KEY')];
  const place = parseStorageUrl(name, url, { accessKeyId, secretAccessKey, userAgent: readUserAgent(read), server });
  if (typeof place === 'string') throw new ConfigError(place);
  return place;
}

function readTiles(read: ReadSetting): MapTiles | null {
  const tiles = readMapTiles(read('MARQUEE_TILES'), read('MARQUEE_TILES_ATTRIBUTION'));
  if (typeof tiles === 'string') throw new ConfigError(tiles);
  return tiles;
}

function readSecureOrigin(name: SettingName, text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.href === `${url.origin}/`) return url.origin;
  throw new ConfigError(`${name} must be https and a host only, such as https://pay.example.com, but is "${shown(text)}"`);
}

/** What is sent there is a secret key, so it never leaves this machine by a setting. */
function readLoopbackUrl(name: SettingName, text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && /^(?:127\.0\.0\.1|\[::1\])$/.test(url.hostname) && url.pathname === '/')
    return url.origin;
  throw new ConfigError(`${name} must be an address of this machine, such as http://127.0.0.1:12111, but is "${shown(text)}"`);
}

function readList(text: string | undefined): string[] | null {
  const parts = text?.split(',').map((part) => part.trim());
  return parts?.filter(Boolean) ?? null;
}

function readProxies(text: string | undefined): string[] | null {
  const proxies = readList(text);
  const wrong = proxies?.find((entry) => !isProxy(entry));
  if (wrong === undefined) return proxies;
  throw new ConfigError(`MARQUEE_TRUST_PROXY must be addresses or networks, separated by commas, but holds "${shown(wrong)}"`);
}

/** As the server reads it: an address, a network as `10.0.0.0/8` or `10.0.0.0/255.0.0.0`, or the name of a range. */
function isProxy(entry: string): boolean {
  if (PROXY_RANGES.includes(entry)) return true;
  const [address = '', size, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (size === undefined) return true;
  if (family === 4 && isIPv4(size)) return /^1+0*$/.test(size.split('.').map(toBits).join(''));
  return /^\d{1,3}$/.test(size) && Number(size) >= 1 && Number(size) <= (family === 4 ? 32 : 128);
}

const toBits = (byte: string): string => Number(byte).toString(2).padStart(8, '0');

function readAllowedHosts(text: string | undefined): readonly string[] {
  const hosts = readList(text) ?? [];
  const wrong = hosts.find((host) => !isAllowedHost(host));
  if (wrong === undefined) return hosts;
  throw new ConfigError(
    `MARQUEE_ALLOWED_HOSTS must be host, host:port, address or network, separated by commas, but holds "${shown(wrong)}"`,
  );
}

function readGeocoder(text: string | undefined): GeocoderAddress | null {
  const address = text === undefined ? null : parseGeocoderAddress(text);
  if (typeof address === 'string') throw new ConfigError(address);
  const host = address === null ? null : new URL(address.url).host;
  if (host === null || isAllowedHost(host)) return address;
  throw new ConfigError(`MARQUEE_GEOCODER must be at a host that requests can be sent to, but its host is "${host}"`);
}

function readMetrics(text: string | undefined): Config['metrics'] {
  if (text === undefined) return { port: DEFAULT_METRICS_PORT, fixed: false };
  if (text === 'off') return null;
  return { port: readPort('MARQUEE_METRICS_PORT', text), fixed: true };
}

function readClocks(setting: string | undefined): Clocks {
  try {
    return createClocks(setting);
  } catch (error) {
    throw new ConfigError((error as RangeError).message);
  }
}

function readLogLevel(text: string): string {
  if (LOG_LEVELS.includes(text)) return text;
  throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, but is "${text}"`);
}

function readDatabaseUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const servers = parseDatabaseUrl(text);
  // The value may hold a password: it is not repeated.
  if (typeof servers === 'string') throw new ConfigError(servers);
  return text;
}

function readTelemetry(read: ReadSetting): TelemetryPlace | null {
  const place = parseTelemetryPlace({
    endpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    headers: read('OTEL_EXPORTER_OTLP_HEADERS'),
    serviceName: read('OTEL_SERVICE_NAME'),
    sampledShare: read('OTEL_TRACES_SAMPLER_ARG'),
    userAgent: readUserAgent(read),
  });
  if (typeof place === 'string') throw new ConfigError(place);
  return place;
}

function readRedis(text: string | undefined): RedisPlace | null {
  const place = parseRedisPlace(text);
  // The value may hold a password: it is not repeated.
  if (typeof place === 'string') throw new ConfigError(place);
  return place;
}

function readSecret(text: string | undefined): string | null {
  if (text === undefined || text.length >= MIN_SECRET_LENGTH) return text ?? null;
  throw new ConfigError(`MARQUEE_SECRET must have ${MIN_SECRET_LENGTH} characters or more, but has ${text.length}`);
}

function readSmtpUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname) return text;
  // The value may hold a password: it is not repeated.
  throw new ConfigError('SMTP_URL must be an address such as smtps://user:password@host:465');
}

function readMailFrom(text: string | undefined): string | null {
  if (text === undefined || MAIL_FROM.test(text)) return text ?? null;
  throw new ConfigError(`MARQUEE_MAIL_FROM must be an address or Name <address>, but is "${text}"`);
}

/** Of every request to another machine: who asks, and whom to ask about it. */
function readUserAgent(read: ReadSetting): string {
  const contact = readContact('MARQUEE_CONTACT', read) ?? readPublicUrl(read('MARQUEE_PUBLIC_URL'));
  return `Marquee/${packageFile.version}${contact === null ? '' : ` (+${contact})`}`;
}

/** A URI. */
function readContact(name: 'MARQUEE_CONTACT' | 'MARQUEE_SECURITY_CONTACT', read: ReadSetting): string | null {
  const text = read(name);
  if (text === undefined) return null;
  const uri = MAIL_FROM.test(text) && !text.includes('<') ? `mailto:${text}` : text;
  if (URL.canParse(uri) && /^(?:https|mailto):$/.test(new URL(uri).protocol) && !/\s/.test(uri)) return uri;
  throw new ConfigError(`${name} must be an address or an https URL, but is "${text}"`);
}

const MAX_PORT = 65_535;
const MIN_SECRET_LENGTH = 32;
const PROXY_RANGES = ['loopback', 'linklocal', 'uniquelocal'];
const MAIL_FROM =
  /^(?:[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+|[^\p{Cc}@<>"(),:;[\]\\]+<[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+>)$/u;
/** The port Prometheus exporters of this family use by custom. */
const DEFAULT_METRICS_PORT = 9_464;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

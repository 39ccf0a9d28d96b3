/**
 * `DATABASE_URL`: one PostgreSQL server, or several of which one accepts writes, in the form of libpq (PostgreSQL documentation,
 * "Connection URIs"). `pg` itself reads one host only.
 */

export interface DatabaseUrl {
  /** An address for each server, in their order, as `pg` reads it. They hold a password: never log them. */
  urls: readonly [string, ...string[]];
  /** Only a server that accepts writes may be used. */
  needsPrimary: boolean;
}

/** A text says what is wrong. It repeats nothing of the address, which may hold a password. */
export function parseDatabaseUrl(text: string): DatabaseUrl | string {
  const { scheme = '', login = '', hosts = '', rest = '' } = FORM.exec(text)?.groups ?? {};
  if (scheme === '') return WANTED;
  const names = hosts.split(',');
  const wrong = names.findIndex((name) => !isHost(name) || (name === '' && names.length > 1));
  if (wrong >= 0) return describeWrongHost(wrong + 1, names.length);
  const [first, ...others] = names.map((name) => URL.parse(scheme + login + name + rest)).filter((url) => url !== null);
  if (!first || others.length < names.length - 1) return WANTED;
  const fault = findFault(first, names.length);
  if (fault !== null) return fault;
  const target = first.searchParams.get(TARGET);
  if (target === null && others.length === 0) return { urls: [text], needsPrimary: false };
  const needsPrimary = others.length > 0 || TARGETS[target ?? ''] === true;
  return { urls: [withoutTarget(first), ...others.map(withoutTarget)], needsPrimary };
}

function findFault({ username, password, pathname, searchParams }: URL, count: number): string | null {
  if (![username, password, pathname].every(isDecodable)) return WRONG_PERCENT_SIGN;
  const target = searchParams.get(TARGET);
  if (target !== null && !Object.hasOwn(TARGETS, target)) return WRONG_TARGET;
  const named = searchParams.get('host') ?? '';
  return named.includes(',') || (named !== '' && count > 1) ? WRONG_PLACE : null;
}

/** The database and its servers in words, without user and password. For an address that was read before. */
export function describeDatabaseUrl({ urls }: DatabaseUrl): string {
  const servers = urls.map((text) => new URL(text));
  const name = decodeURIComponent(servers[0]?.pathname.slice(1) ?? '') || 'postgres';
  return `${name} at ${servers.map(({ host, searchParams }) => host || searchParams.get('host') || 'localhost').join(', ')}`;
}

function isHost(text: string): boolean {
  const [, port] = HOST.exec(text) ?? [null];
  return HOST.test(text) && (port === undefined || (Number(port) > 0 && Number(port) <= MAX_PORT));
}

function withoutTarget(url: URL): string {
  url.searchParams.delete(TARGET);
  return url.href;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** What comes before the last @ of the servers' part is user and password. */
const FORM = /^(?<scheme>postgres(?:ql)?:\/\/)(?<login>[^/?#]*@)?(?<hosts>[^/?#@]*)(?<rest>.*)$/is;
const HOST = /^(?:\[[\da-f:.]+\]|[^:[\]\s]*)(?::(\d{1,5}))?$/i;
const MAX_PORT = 65_535;
const TARGET = 'target_session_attrs';
/** Whether it asks for a server that accepts writes. The others of libpq ask for one that does not. */
const TARGETS: Readonly<Record<string, boolean>> = { any: false, 'read-write': true, primary: true };
const WANTED = 'DATABASE_URL must be an address such as postgres://user:password@host:5432/name';
const WRONG_PERCENT_SIGN = 'DATABASE_URL has a percent sign that begins no escape; write % as %25';
const WRONG_TARGET = 'DATABASE_URL must have target_session_attrs=read-write, primary or any, because Marquee writes';
const WRONG_PLACE = 'DATABASE_URL must name several servers before the name of the database, as host:port,host:port';
const describeWrongHost = (position: number, count: number): string =>
  `DATABASE_URL must name each server as host or host:port, but server ${position} of ${count} has another form; ` +
  'in a password, write / as %2F, ? as %3F and # as %23';

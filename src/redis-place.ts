/** Where limits are shared, as `REDIS_URL` names it. */

/** Holds passwords: never log it. */
export interface RedisPlace {
  kind: 'single' | 'sentinel' | 'cluster';
  /** The server; or the sentinels; or some nodes of the cluster. */
  nodes: { host: string; port: number }[];
  /** Name of the primary that the sentinels watch. */
  primary: string | null;
  username: string | null;
  password: string | null;
  sentinelPassword: string | null;
  db: number;
  isTls: boolean;
}

/**
 * `redis://user:password@host:6379/0`, `redis+sentinel://…@host,host/primary/0` or `redis+cluster://…@host,host`; `rediss` with TLS. Null
 * without a setting. A text says what is wrong, and repeats no secret.
 */
export function parseRedisPlace(text: string | undefined): RedisPlace | null | string {
  if (text === undefined) return null;
  const parts = FORM.exec(text)?.groups;
  if (!parts) return WANTED;
  const kind = (parts.kind as RedisPlace['kind'] | undefined) ?? 'single';
  const nodes = (parts.hosts ?? '').split(',').map((host) => readNode(host, kind === 'sentinel' ? 26_379 : 6_379));
  const isEachNode = (all: typeof nodes): all is RedisPlace['nodes'] => !all.includes(null);
  if (!isEachNode(nodes)) return 'REDIS_URL must name each server as host or host:port, separated by commas';
  if (kind === 'single' && nodes.length > 1) return 'REDIS_URL names several servers; use redis+sentinel:// or redis+cluster://';
  const path = readPath(kind, parts.path ?? '');
  if (typeof path === 'string') return path;
  const query = new URLSearchParams(parts.query ?? '');
  const unknown = [...query.keys()].find((name) => kind !== 'sentinel' || name !== 'sentinel_password');
  if (unknown !== undefined) return `REDIS_URL accepts only sentinel_password, and only with sentinels, but has "${unknown}"`;
  return {
    ...{ kind, nodes, ...path, isTls: parts.scheme === 'rediss' },
    username: readWord(parts.username),
    password: readWord(parts.password),
    sentinelPassword: query.get('sentinel_password') || null,
  };
}

function readPath(kind: RedisPlace['kind'], text: string): Pick<RedisPlace, 'primary' | 'db'> | string {
  const path = text.split('/').filter(Boolean).map(decode);
  const primary = kind === 'sentinel' ? path.shift() : null;
  if (primary === undefined) return 'REDIS_URL must name the primary, such as redis+sentinel://host:26379/mymaster';
  const [db = '0', ...rest] = path;
  if (rest.length > 0 || !/^\d{1,5}$/.test(db))
    return 'REDIS_URL must end with the number of a database, such as /0, or with nothing';
  if (kind === 'cluster' && db !== '0') return 'REDIS_URL of a cluster must not name a database: clusters have only one';
  return { primary, db: Number(db) };
}

function readNode(text: string, defaultPort: number): RedisPlace['nodes'][number] | null {
  const { host, inner, port } = NODE.exec(text)?.groups ?? {};
  const name = inner ?? host;
  if (!name || Number(port ?? 0) > 65_535) return null;
  return { host: name, port: port === undefined ? defaultPort : Number(port) };
}

const readWord = (text: string | undefined): string | null => decode(text ?? '') || null;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const FORM =
  /^(?<scheme>rediss?)(?:\+(?<kind>sentinel|cluster))?:\/\/(?:(?<username>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
const NODE = /^(?:\[(?<inner>[0-9a-fA-F:.]+)\]|(?<host>[\w.-]+))(?::(?<port>\d{1,5}))?$/;
const WANTED =
  'REDIS_URL must be an address such as redis://user:password@host:6379, redis+sentinel://host:26379,host:26379/mymaster or redis+cluster://host:6379,host:6379';

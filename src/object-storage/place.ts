/** Where objects are kept, as a URL names it. */

/** A bucket, and a path in it. Holds a secret: never log it. */
export interface ObjectPlace {
  /** Without a trailing slash. */
  endpoint: string;
  bucket: string;
  /** Of an object or a folder, without slashes at its ends; empty: the bucket itself. */
  path: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** As every request of ours. */
  userAgent: string;
}

/** What a URL need not say. */
export interface StorageDefaults {
  accessKeyId: string | undefined;
  secretAccessKey: string | undefined;
  userAgent: string;
  /** Its server counts if the URL names neither region nor endpoint. */
  server?: Pick<ObjectPlace, 'endpoint' | 'region'> | null;
}

/**
 * `s3://bucket/folder?region=…&endpoint=…`. `name`: what has this value, such as a setting. A text says what is wrong, and repeats no
 * secret.
 */
export function parseStorageUrl(name: string, url: string, defaults: StorageDefaults): ObjectPlace | string {
  const { accessKeyId, secretAccessKey, userAgent, server } = defaults;
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 's3:' || !BUCKET.test(parsed.hostname) || parsed.username || parsed.password || parsed.hash) {
    return `${name} must be an address such as s3://bucket/folder?region=eu-central-1, without user or password`;
  }
  const { searchParams } = parsed;
  const unknown = [...searchParams.keys()].find((key) => key !== 'region' && key !== 'endpoint');
  if (unknown !== undefined) return `${name} accepts only region and endpoint, but has "${unknown}"`;
  const at = searchParams.size === 0 && server ? server : readServer(searchParams);
  if (at === null) return `${name}: endpoint must be http or https and a host, such as https://storage.example.com`;
  if (!accessKeyId || !secretAccessKey) return `AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set for ${name}`;
  const path = decodePath(parsed.pathname);
  if (path === null) return `${name} must have a path with valid percent escapes`;
  return { ...at, bucket: parsed.hostname, path, accessKeyId, secretAccessKey, userAgent };
}

/** For people. */
export const describePlace = ({ bucket, path }: ObjectPlace): string => `s3://${bucket}/${path}`;

/** For people, and another text for every other place: the same bucket may exist on several servers. Within AWS its name is unique. */
export const namePlace = (place: ObjectPlace): string =>
  place.endpoint.endsWith('.amazonaws.com') ? describePlace(place) : `${describePlace(place)}?endpoint=${place.endpoint}`;

function readServer(query: URLSearchParams): Pick<ObjectPlace, 'endpoint' | 'region'> | null {
  const region = query.get('region') ?? 'us-east-1';
  const server = URL.parse(query.get('endpoint') ?? `https://s3.${region}.amazonaws.com`);
  if (!server || !/^https?:$/.test(server.protocol) || server.pathname !== '/' || server.search || server.username) return null;
  return { endpoint: server.origin, region };
}

function decodePath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  } catch {
    return null;
  }
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

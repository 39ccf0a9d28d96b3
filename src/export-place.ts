/** Where finished exports are kept, as `EXPORT_URL` names it. */

/** Storage that speaks S3. Holds a secret: never log it. */
export interface ExportPlace {
  /** Without a trailing slash. */
  endpoint: string;
  bucket: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** `s3://bucket/folder?region=…&endpoint=…`; null without a setting. A text says what is wrong, and repeats no secret. */
export function parseExportPlace(
  url: string | undefined,
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
): ExportPlace | null | string {
  if (url === undefined) return null;
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 's3:' || !BUCKET.test(parsed.hostname) || parsed.username || parsed.password || parsed.hash) {
    return 'EXPORT_URL must be an address such as s3://bucket/folder?region=eu-central-1, without user or password';
  }
  const region = parsed.searchParams.get('region') ?? 'us-east-1';
  const endpoint = parsed.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  const server = URL.parse(endpoint);
  if (!server || !/^https?:$/.test(server.protocol) || server.pathname !== '/' || server.search || server.username) {
    return 'EXPORT_URL: endpoint must be http or https and a host, such as https://storage.example.com';
  }
  const unknown = [...parsed.searchParams.keys()].find((name) => name !== 'region' && name !== 'endpoint');
  if (unknown !== undefined) return `EXPORT_URL accepts only region and endpoint, but has "${unknown}"`;
  if (!accessKeyId || !secretAccessKey)
    return 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set because EXPORT_URL is set';
  const folder = decodeURIComponent(parsed.pathname).replace(/^\/+|\/+$/g, '');
  const prefix = folder === '' ? '' : `${folder}/`;
  return { endpoint: server.origin, bucket: parsed.hostname, prefix, region, accessKeyId, secretAccessKey };
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

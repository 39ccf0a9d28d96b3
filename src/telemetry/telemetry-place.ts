/** Where traces and metrics go, as the settings name it. */

/** Holds secrets in its headers: never log it. Plain data: it crosses threads. */
export interface TelemetryPlace {
  /** Of the collector, without a trailing slash. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** How many of the traces that begin here are sent, 0 to 1. */
  sampledShare: number;
  /** Who sends, and whom to ask about it. */
  userAgent: string;
}

export interface TelemetryTexts {
  endpoint: string | undefined;
  headers: string | undefined;
  serviceName: string | undefined;
  sampledShare: string | undefined;
  userAgent: string;
}

/** Null without an endpoint. A text says what is wrong, and repeats no secret. */
export function parseTelemetryPlace({
  endpoint,
  headers,
  serviceName,
  sampledShare,
  userAgent,
}: TelemetryTexts): TelemetryPlace | null | string {
  if (endpoint === undefined) return null;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    return 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://127.0.0.1:4318, without user, password and query';
  }
  const pairs = headers === undefined ? [] : headers.split(',').map((pair) => PAIR.exec(pair.trim())?.slice(1) ?? null);
  if (pairs.includes(null)) return 'OTEL_EXPORTER_OTLP_HEADERS must be a list such as name=value,name=value';
  const share = Number(sampledShare ?? 1);
  if (!(share >= 0 && share <= 1)) return `OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, but is "${sampledShare}"`;
  return {
    endpoint: url.href.replace(/\/+$/, ''),
    headers: Object.fromEntries(pairs.map((pair) => [pair?.[0]?.toLowerCase() ?? '', decode(pair?.[1] ?? '')])),
    serviceName: serviceName ?? 'marquee',
    sampledShare: share,
    userAgent,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const PAIR = /^([!#$%&'*+.^_`|~\w-]+)=([\x21-\x7e ]*)$/;

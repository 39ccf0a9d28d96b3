/**
 * What the kinds of this folder share: a platform that answers with a page of events as JSON, and names the next page or counts its pages.
 * A platform is one entry beside this file, and one line in `providers.ts`.
 */

import { addressOf, nextOnHost, pageAfter, withDefaults } from '../../api-request.ts';
import type { OutgoingRequest, Provider, SourceFacts, SourceResponse } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';
import { type RecordReading, readRecords } from '../../read-records.ts';
import { parseJson } from '../../reading/parse-json.ts';

export interface JsonPlatform {
  kind: string;
  /** As people call it, for errors. */
  name: string;
  /** Parameters of the first request that the operator's location leaves open. */
  defaults(source: SourceFacts): Readonly<Record<string, string>>;
  /** Null for a document that is none of the platform. */
  recordsIn(document: unknown): readonly unknown[] | null;
  readEvent(record: unknown, page: PlatformPage): RecordReading;
  /** The address of the next page, or the parameters that lead to it; null after the last. Only called where a page has records. */
  nextPage?(document: unknown, page: PlatformPage): string | Readonly<Record<string, string>> | null;
}

/** What an entry may need beside the record. */
export interface PlatformPage {
  document: unknown;
  /** The address that answered. */
  url: string;
  source: SourceFacts;
}

export function jsonPlatform(platform: JsonPlatform): Provider {
  const request = (source: SourceFacts): OutgoingRequest => ({
    url: withDefaults(addressOf(source.location), platform.defaults(source)).href,
    accept: 'application/json',
  });
  return {
    kind: platform.kind,
    mapping: 'over',
    keySetting: null,
    request,
    read(answer, source) {
      const document = parseJson(answer.body);
      const records = platform.recordsIn(document);
      if (records === null) throw new ProviderError('not_of_the_kind', `the response is not a page of ${platform.name}`);
      const page = { document, url: answer.url, source };
      const listings = readRecords(records, answer.body.length, (record) => platform.readEvent(record, page));
      const next = records.length === 0 ? null : (platform.nextPage?.(document, page) ?? null);
      return { listings, next: requestsFor(next, answer, request(source)) };
    },
  };
}

function requestsFor(
  next: string | Readonly<Record<string, string>> | null,
  answer: SourceResponse,
  first: OutgoingRequest,
): readonly OutgoingRequest[] {
  if (next === null) return [];
  if (typeof next !== 'string') return pageAfter(answer, first, next);
  const url = nextOnHost(next, first.url);
  return url === null ? [] : [{ ...first, url }];
}

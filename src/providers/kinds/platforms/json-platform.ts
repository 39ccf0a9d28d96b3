/**
 * The kinds of this folder share one form: a platform that answers with a page of events as JSON, and names the next page or counts its pages.
 * A platform is one entry beside this file, and one line in `providers.ts`.
 */

import { addressOf, nextOnHost, pageAfter, withDefaults } from '../../api-request.ts';
import { valueAt } from '../../fields/json-fields.ts';
import { eventListing, type PartialEvent } from '../../listing.ts';
import type { OutgoingRequest, Provider, SourceFacts, SourceResponse } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';
import { eventReading, readRecords } from '../../read-records.ts';
import { parseJson } from '../../reading/parse-json.ts';

export interface JsonPlatform {
  kind: string;
  /** As people call it, for errors. */
  name: string;
  /** Parameters of the first request that the operator's location leaves open. */
  defaults(source: SourceFacts): Readonly<Record<string, string>>;
  /** Where the list of records is, or a function that finds it: null for a document that is none of the platform. */
  recordsIn: string | ((document: unknown) => readonly unknown[] | null);
  /** Null for a record that is not to be listed; a list for one with several dates. */
  readEvent(record: unknown, page: PlatformPage): PartialEvent | readonly PartialEvent[] | null;
  /** The address of the next page, or the parameters that lead to it; null after the last. Only called where a page has records. */
  nextPage?(document: unknown, page: PlatformPage): string | Readonly<Record<string, string>> | null;
}

/** The page around a record. */
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
      const records = recordsOf(document, platform.recordsIn);
      if (records === null) throw new ProviderError('not_of_the_kind', `the response is not a page of ${platform.name}`);
      const page = { document, url: answer.url, source };
      const listings = readRecords(records, answer.body.length, (record) => {
        const read = platform.readEvent(record, page);
        if (read === null || !isList(read)) return read && eventReading(eventListing(read));
        return read.map((each) => ({ target: 'events', event: eventListing(each) }));
      });
      const next = records.length === 0 ? null : (platform.nextPage?.(document, page) ?? null);
      return { listings, next: requestsFor(next, answer, request(source)) };
    },
  };
}

const isList = (read: PartialEvent | readonly PartialEvent[]): read is readonly PartialEvent[] => Array.isArray(read);

function recordsOf(document: unknown, at: JsonPlatform['recordsIn']): readonly unknown[] | null {
  const found = typeof at === 'string' ? valueAt(document, at) : at(document);
  return Array.isArray(found) ? found : null;
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

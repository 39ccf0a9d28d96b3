/** Bytes of a provider's answer into listings, one by one. */

import type { RawRecord, ReadListing } from '../listing.ts';
import type { Mapping } from './mapping.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';

/** The kinds that need a mapping. */
export type ProviderKind = 'json' | 'csv';

/** Throws a `ProviderError` when the bytes as a whole are not of the kind. One bad record stops nothing. */
export async function* readListings(
  kind: ProviderKind,
  chunks: AsyncIterable<Uint8Array>,
  mapping: Mapping,
): AsyncGenerator<ReadListing> {
  for await (const record of READERS[kind](chunks, mapping)) {
    const { index, bytes } = record;
    if (!record.ok) {
      yield { ok: false, index, bytes, field: null, reason: record.reason, externalId: null };
      continue;
    }
    const listing = mapping.read(record.value);
    if (listing === null) yield { ok: 'dropped', index, bytes };
    else if ('refused' in listing) yield { ok: false, index, bytes, ...listing.refused };
    else yield { ok: true, index, bytes, listing };
  }
}

const READERS: Readonly<Record<ProviderKind, (chunks: AsyncIterable<Uint8Array>, mapping: Mapping) => AsyncIterable<RawRecord>>> =
  { json: readJson, csv: readCsv };

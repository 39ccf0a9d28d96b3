/** Bytes of a provider's answer into listings, one by one. */

import type { RawRecord, ReadListing } from '../listing.ts';
import type { Mapping } from './mapping.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';

/** The kinds that need a mapping. */
export type ProviderKind = 'json' | 'csv';

/**
 * Throws a `ProviderError` when the bytes as a whole are not of the kind. One bad record stops nothing. `onDocument` is given the whole
 * document of a kind that holds it as one.
 */
export async function* readListings(
  kind: ProviderKind,
  chunks: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  onDocument: (document: unknown) => void = () => {},
): AsyncGenerator<ReadListing> {
  for await (const record of READERS[kind](chunks, mapping, onDocument)) {
    const { index, bytes } = record;
    if (!record.ok) {
      yield { ok: false, index, bytes, field: null, reason: record.reason, externalId: null };
      continue;
    }
    const mapped = mapping.read(record.value);
    if (mapped === null) yield { ok: 'dropped', index, bytes };
    else if ('refused' in mapped) yield { ok: false, index, bytes, ...mapped.refused };
    else
      for (const listing of mapped) yield { ok: true, index, bytes: bytes / mapped.length, listing, record: () => record.value };
  }
}

type ReadRecords = (
  chunks: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  onDocument: (document: unknown) => void,
) => AsyncIterable<RawRecord>;

const READERS: Readonly<Record<ProviderKind, ReadRecords>> = { json: readJson, csv: readCsv };

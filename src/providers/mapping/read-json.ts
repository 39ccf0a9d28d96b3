/** Records of a JSON document. It is held as a whole, so its size and depth are limited before it is parsed. */

import type { RawRecord } from '../listing.ts';
import { ProviderError } from '../provider-error.ts';
import { decodeText } from '../reading/decode-text.ts';
import { parseJson } from '../reading/parse-json.ts';
import { findRecords, unwrapAssignment } from './find-records.ts';
import type { Mapping } from './mapping.ts';

export async function* readJson(
  chunks: AsyncIterable<Uint8Array>,
  mapping: Mapping,
  onDocument: (document: unknown) => void,
): AsyncGenerator<RawRecord> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_JSON_BYTES) throw new ProviderError('too_large', `the document is larger than ${MAX_JSON_BYTES} bytes`);
    parts.push(chunk);
  }
  const body = Buffer.concat(parts);
  const document = parseJson(mapping.unwrap === null ? body : unwrapAssignment(decodeText({ body, contentType: null })));
  onDocument(document);
  const records = findRecords(document, mapping);
  const share = bytes / Math.max(1, records.length);
  for (const [index, value] of records.entries()) yield { index: index + 1, bytes: share, ok: true, value };
}

const MAX_JSON_BYTES = 128 * 1024 * 1024;

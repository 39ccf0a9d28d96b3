/** The two kinds whose records the operator explains by a mapping (docs/providers.md). */

import { addressOf } from '../api-request.ts';
import { refuseWorkbook } from '../mapping/csv-form.ts';
import { compileMapping } from '../mapping/mapping.ts';
import { withNext } from '../mapping/next-page.ts';
import { readListings } from '../mapping/read-listings.ts';
import { type ListingPage, type Provider, readingDay, type SourceFacts, type SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { utf8Of } from '../reading/decode-text.ts';

export const json: Provider = mapped('json', 'application/json, */*;q=0.5');
export const csv: Provider = mapped('csv', 'text/csv, */*;q=0.5');

function mapped(kind: 'json' | 'csv', accept: string): Provider {
  return {
    kind,
    mapping: 'needed',
    keySetting: null,
    request: ({ location }) => ({ url: addressOf(location).href, accept }),
    read: (answer, source) => read(kind, answer, source, accept),
  };
}

async function read(kind: 'json' | 'csv', answer: SourceResponse, source: SourceFacts, accept: string): Promise<ListingPage> {
  const compiled = compileMapping(source.mapping, { today: readingDay(source) });
  if (!compiled.ok) throw new ProviderError('bad_mapping', `the mapping is not valid: ${compiled.field}: ${compiled.reason}`);
  refuseWorkbook(answer.body);
  let document: unknown = null;
  const listings = await Array.fromAsync(
    readListings(kind, inUtf8(answer), compiled.mapping, (whole) => {
      document = whole;
    }),
  );
  const records = listings.at(-1)?.index ?? 0;
  const next = compiled.mapping.next(document, { url: answer.url, records });
  return withNext(listings, next, { records, accept });
}

async function* inUtf8(answer: SourceResponse): AsyncGenerator<Uint8Array> {
  yield utf8Of(answer);
}

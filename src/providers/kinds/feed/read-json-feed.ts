/** JSON Feed 1.0 and 1.1, with the extensions that its §"Extensions" allows: objects whose keys begin with `_`. */

import { isObject } from '../../fields/json-fields.ts';
import { ProviderError } from '../../provider-error.ts';
import { parseJson } from '../../reading/parse-json.ts';
import { type FeedField, type ParsedFeed, simpleName } from './field.ts';

/** Throws a `ProviderError` for what is no JSON Feed. */
export function readJsonFeed(text: string): ParsedFeed {
  const document = parseJson(text);
  if (!isObject(document) || !Array.isArray(document.items))
    throw new ProviderError('not_of_the_kind', 'the document is not an RSS, Atom or JSON feed');
  const items = document.items.slice(0, MAX_ITEMS).map((item) => ({ fields: [...fieldsOf(item)], isCutOff: false }));
  return {
    items,
    isCutOff: items.length < document.items.length,
    next: typeof document.next_url === 'string' ? document.next_url : null,
  };
}

/** What an extension says counts as said by the item itself, in a vocabulary of its own. */
function* fieldsOf(value: unknown, space = 'core', parent = ''): Generator<FeedField> {
  if (!isObject(value)) return;
  for (const [key, each] of Object.entries(value)) {
    for (const listed of Array.isArray(each) ? each : [each]) yield* fieldsOfMember(key, listed, space, parent);
  }
}

function* fieldsOfMember(key: string, listed: unknown, space: string, parent: string): Generator<FeedField> {
  const name = simpleName(key);
  if (isPlain(listed)) yield { space, name, parent, text: String(listed).trim(), attributes: {} };
  else if (key.startsWith('_')) yield* fieldsOf(listed, key, parent);
  else if (parent === '') yield* fieldsOf(listed, space, name);
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const MAX_ITEMS = 20_000;

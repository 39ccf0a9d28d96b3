/** What an operator knows about a source, over what its kind reads: one way for all kinds. */

import type { Listing, ReadListing } from '../listing.ts';
import { type ListingPage, type Provider, readingDay, type SourceFacts } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { type CompiledMapping, compileMapping, type Mapping, RECORD_KEYS } from './mapping.ts';
import { OverlaidRecord } from './rules.ts';

/** The provider, whose listings then go through the mapping of the source if that lies over the kind. */
export function withMapping(provider: Provider): Provider {
  return {
    ...provider,
    read(answer, source) {
      const over = mappingOver(provider, source);
      const page = provider.read(answer, over ? factsOver(source, over) : source);
      const finish = ({ listings, next }: ListingPage): ListingPage => ({
        listings: listings.flatMap((each) => (over ? readOver(each, over) : [withoutRecord(each)])),
        next,
      });
      // Without waiting where nothing is waited for: the reading process limits the time of that best.
      return page instanceof Promise ? page.then(finish) : finish(page);
    },
  };
}

/** Why a mapping cannot be used with a kind, in one sentence; null where it can. */
export function mappingFlaw(provider: Provider, mapping: unknown): string | null {
  if (mapping === null || mapping === undefined) {
    return provider.mapping === 'needed' ? `a source of kind ${provider.kind} needs a mapping` : null;
  }
  const compiled = compileMapping(mapping, { over: liesOver(provider, mapping) ? targetOf(provider) : null });
  return compiled.ok ? null : sentenceOf(compiled);
}

function mappingOver(provider: Provider, source: SourceFacts): Mapping | null {
  if (source.mapping === null || !liesOver(provider, source.mapping)) return null;
  const compiled = compileMapping(source.mapping, { today: readingDay(source), over: targetOf(provider) });
  if (!compiled.ok) throw new ProviderError('bad_mapping', sentenceOf(compiled));
  return compiled.mapping;
}

/** Of the kinds that know both uses, a mapping that says which records there are and what they are is the whole reading. */
function liesOver({ mapping: use }: Provider, mapping: unknown): boolean {
  if (use !== 'optional') return use === 'over';
  const { fields, ...keys } = isObject(mapping) ? mapping : {};
  const has = (...names: string[]): boolean => isObject(fields) && names.every((name) => name in fields);
  const isWhole = has('externalId') || has('title', 'start') || (has('name') && keys.target !== undefined);
  return !isWhole && !RECORD_KEYS.some((name) => name in keys);
}

function factsOver(source: SourceFacts, { zone, locales }: Mapping): SourceFacts {
  return {
    ...source,
    mapping: null,
    zone: zone ?? source.zone,
    locales: locales.length > 0 ? locales : source.locales,
  };
}

/** A record that was refused is listed if the mapping gives it what was missing. */
function readOver(each: ReadListing, mapping: Mapping): ReadListing[] {
  const known = knownOf(each);
  if (each.ok === 'dropped' || known === null || known.target !== mapping.target) return [withoutRecord(each)];
  const fields = known.target === 'events' ? known.event : known.venue;
  const mapped = mapping.read(new OverlaidRecord(fields, each.record ?? (() => undefined)), known);
  const { index, bytes } = each;
  if (mapped === null) return [{ ok: 'dropped', index, bytes }];
  if ('refused' in mapped) return [{ ok: false, index, bytes, ...mapped.refused }];
  if (!each.ok && !mapped.every(isWhole)) return [withoutRecord(each)];
  return mapped.map((listing) => ({ ok: true, index, bytes: bytes / mapped.length, listing }));
}

function knownOf(each: ReadListing): Listing | null {
  if (each.ok === 'dropped') return null;
  return (each.ok ? each.listing : each.draft) ?? null;
}

function isWhole(listing: Listing): boolean {
  return listing.target === 'events' && NEEDED.every((name) => listing.event[name] !== null);
}

function withoutRecord(each: ReadListing): ReadListing {
  if (each.ok === 'dropped') return each;
  const { record: _, ...rest } = each;
  if (rest.ok === true) return rest;
  const { draft: __, ...refused } = rest;
  return refused;
}

const targetOf = ({ target = 'events' }: Provider): Mapping['target'] => target;
const sentenceOf = ({ field, reason }: Extract<CompiledMapping, { ok: false }>): string =>
  `the mapping is not valid: ${field}: ${reason}`;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const NEEDED = ['externalId', 'title', 'start'] as const;

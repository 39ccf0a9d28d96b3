/** The next page of a JSON document: where the mapping says that its address is, or where programs usually write it. */

import { isWeb, nextOnHost } from '../api-request.ts';
import type { ReadListing } from '../listing.ts';
import type { ListingPage } from '../provider.ts';
import { asText, compileRule, knownKeys, MappingError, type Pick, RULE_KEYS } from './rules.ts';

/** A page as it was answered: its address, and how many records it has. */
export interface AnsweredPage {
  url: string;
  records: number;
}

/** The listings of a page with what is to be asked for next. A next page that may not be asked for is a record that was refused. */
export function withNext(
  listings: ReadListing[],
  found: ReturnType<FindNextPage>,
  { records, accept }: { records: number; accept: string },
): ListingPage {
  if (found === null) return { listings, next: [] };
  if ('url' in found) return { listings, next: [{ url: found.url, accept }] };
  const refused = { ok: false, index: records + 1, bytes: 0, field: null, reason: found.refused, externalId: null } as const;
  return { listings: [...listings, refused], next: [] };
}

/** An address on the same host; `refused` where the mapping leads to another one; null on the last page. */
export type FindNextPage = (document: unknown, page: AnsweredPage) => { url: string } | { refused: string } | null;

/** `next` of a mapping, whose forms are listed in docs/providers.md. */
export function compileNext(value: unknown): FindNextPage {
  if (value === undefined) return usualNext;
  if (value === false) return () => null;
  if (typeof value !== 'object' || value === null) return addressedNext(compileRule(value, 'next'));
  const { parameter, last, first, step, ...rule } = knownKeys(value, 'next', [...RULE_KEYS, ...NEXT_KEYS]);
  if (parameter === undefined) {
    if (last !== undefined || first !== undefined || step !== undefined)
      throw new MappingError('next.parameter', 'wanted the name of the parameter that counts pages');
    return addressedNext(compileRule(rule, 'next'));
  }
  if (typeof parameter !== 'string' || parameter === '') throw new MappingError('next.parameter', 'wanted a name such as page');
  if (Object.keys(rule).length === 0) return countedNext(parameter, { last, first, step });
  if (last !== undefined || first !== undefined || step !== undefined)
    throw new MappingError('next', 'wanted a rule for the value of the parameter, or last, first and step');
  const pick = compileRule(rule, 'next');
  return (document, { url }) => {
    const value = pick(document);
    const text = value === false ? '' : asText(value);
    return text === '' ? null : withParameter(url, parameter, text);
  };
}

function addressedNext(pick: Pick): FindNextPage {
  return (document, { url: at }) => {
    const text = asText(pick(document));
    if (text === '' || !isWeb(at)) return null;
    const url = nextOnHost(text, at);
    if (url !== null) return { url };
    return isSamePage(text, at)
      ? null
      : { refused: `the next page is not on the host of this one: ${text.slice(0, MAX_PRINTED)}` };
  };
}

/** Pages are counted from 1, or with `step` records from 0, until there are as many as `last` says, or a page is not full. */
function countedNext(parameter: string, { last, first, step }: Record<'last' | 'first' | 'step', unknown>): FindNextPage {
  if (step !== undefined && !isWhole(step, 1)) throw new MappingError('next.step', 'wanted a whole number from 1');
  if (first !== undefined && !isWhole(first, 0)) throw new MappingError('next.first', 'wanted a whole number from 0');
  if (last === undefined && step === undefined)
    throw new MappingError('next.last', 'wanted a rule for the number of pages, got nothing');
  const total = last === undefined ? null : compileRule(last, 'next.last');
  const [begin, by] = [(first as number | undefined) ?? (step === undefined ? 1 : 0), (step as number | undefined) ?? 1];
  return (document, { url, records }) => {
    if (!isWeb(url)) return null;
    const asked = new URL(url).searchParams.get(parameter);
    const next = (asked !== null && /^\d{1,9}$/.test(asked) ? Number(asked) : begin) + by;
    const isLast = total === null ? records < by : !(next < begin + Number(asText(total(document)) || 0));
    return isLast ? null : withParameter(url, parameter, String(next));
  };
}

/** Addresses alone: a name that is common enough may hold something else. A relative one leads to the same path. */
export const usualNext: FindNextPage = (document, { url: at }) => {
  const named = USUAL.map((pick) => pick(document));
  const linked = asLinks(document)
    .filter(({ rel }) => rel === 'next')
    .map(({ href }) => href);
  for (const text of [...named, ...linked]) {
    const url = typeof text === 'string' && (isWeb(text) || isSamePath(text, at)) ? nextOnHost(text, at) : null;
    if (url !== null) return { url };
  }
  return null;
};

/** A list of links with relations, as OGC API Features has it (§7.14). */
function asLinks(document: unknown): { rel?: unknown; href?: unknown }[] {
  const links = LINKS(document);
  return Array.isArray(links) ? links.filter((each) => typeof each === 'object' && each !== null) : [];
}

function withParameter(url: string, parameter: string, value: string): { url: string } | null {
  if (!isWeb(url)) return null;
  const next = new URL(url);
  next.searchParams.set(parameter, value);
  return next.href === url ? null : { url: next.href };
}

const isSamePage = (text: string, at: string): boolean => URL.canParse(text, at) && new URL(text, at).href === new URL(at).href;
/** `?page=2`, `/list?page=2`. */
const isSamePath = (text: string, at: string): boolean =>
  /^[?/]/.test(text) && URL.canParse(text, at) && new URL(text, at).pathname === new URL(at).pathname;
const isWhole = (value: unknown, least: number): boolean => Number.isSafeInteger(value) && (value as number) >= least;

const NEXT_KEYS = ['parameter', 'last', 'first', 'step'];
/** docs/providers.md lists them. */
const USUAL_PLACES = [
  '',
  'links.',
  '_links.',
  'meta.',
  'paging.',
  'pagination.',
  'meta.pagination.',
  'pagination.links.',
  'meta.pagination.links.',
  'view.',
  'hydra:view.',
];
const USUAL_NAMES = [
  'next',
  'next.href',
  'next_url',
  'next_page_url',
  'next_rest_url',
  'nextPageUrl',
  'nextLink',
  '@odata.nextLink',
  'hydra:next',
];
const USUAL = USUAL_PLACES.flatMap((place) => USUAL_NAMES.map((name) => compileRule(place + name, 'next')));
const LINKS = compileRule('links', 'next');
const MAX_PRINTED = 64;

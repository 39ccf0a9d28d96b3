/** The text of a JSON-LD script into its values. */

import { decodeHTML } from 'entities';
import { ProviderError } from '../../provider-error.ts';
import { parseJson } from '../../reading/parse-json.ts';
import { type JsonFlaw, recoverJson } from './recover-json.ts';

export interface ParsedScript {
  documents: unknown[];
  /** What could not be read, and where. */
  flaws: string[];
}

/** Throws a `ProviderError` for a script that is nested too deep. */
export function parseScript(text: string): ParsedScript {
  try {
    return { documents: unwrap(parseJson(text)), flaws: [] };
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== 'not_of_the_kind') throw error;
    return recover(plainQuotes(text));
  }
}

/** A template that was made JSON twice is a text of JSON. */
function unwrap(value: unknown): unknown[] {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return [value];
  try {
    return [parseJson(value)];
  } catch (error) {
    if (error instanceof ProviderError) return [value];
    throw error;
  }
}

function recover(text: string): ParsedScript {
  const { texts, flaws } = recoverJson(text);
  const described = flaws.slice(0, MAX_FLAWS).map((flaw) => describe(text, flaw));
  const more = flaws.length - described.length;
  return {
    documents: texts.flatMap((each) => unwrap(parseJson(each))),
    flaws: more === 0 ? described : [...described, `the document is not JSON in ${more} more places`],
  };
}

/** Quotes that an editor has escaped for HTML, or made beautiful. They count where the first name is in such quotes. */
function plainQuotes(text: string): string {
  if (ESCAPED.test(text)) return decodeHTML(text);
  return CURLY.test(text) ? text.replace(/[\u201c-\u201f\u2033]/g, '"') : text;
}

function describe(text: string, { at, wanted }: JsonFlaw): string {
  const before = text.slice(0, at).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  const got = at >= text.length ? 'the end' : JSON.stringify(text.slice(at, at + MAX_PRINTED).replace(/\p{Cc}/gu, ' '));
  return `the document is not JSON: wanted ${wanted}, got ${got} at ${place}`;
}

const ESCAPED = /^[\s[{]*&(?:quot|#0?34|#x22);/i;
const CURLY = /^[\s[{]*[\u201c-\u201f\u2033]/;
const MAX_FLAWS = 20;
const MAX_PRINTED = 30;

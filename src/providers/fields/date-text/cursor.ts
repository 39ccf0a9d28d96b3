/** Looking at the tokens of a text by their index; outside of it there is nothing. */

import type { TextToken } from './tokens.ts';
import type { HourKind, Phrase, WordKind } from './words.ts';

export function phraseAt<Kind extends WordKind | HourKind>(
  tokens: readonly TextToken[],
  at: number,
  phrases: ReadonlyMap<string, readonly Phrase<Kind>[]>,
  isWanted: (kind: Kind) => boolean,
): Phrase<Kind> | undefined {
  const token = tokens[at];
  if (!token || token.kind === 'number') return undefined;
  return phrases
    .get(token.text)
    ?.find(({ kind, words }) => isWanted(kind) && words.every((word, index) => textAt(tokens, at + index) === word));
}

function textAt(tokens: readonly TextToken[], at: number): string {
  const token = tokens[at];
  return token === undefined || token.kind === 'number' ? '' : token.text;
}

export function wordAt(tokens: readonly TextToken[], at: number): string {
  const token = tokens[at];
  return token?.kind === 'word' ? token.text : '';
}

export function signAt(tokens: readonly TextToken[], at: number): string {
  const token = tokens[at];
  return token?.kind === 'sign' ? token.text : '';
}

export function numberAt(tokens: readonly TextToken[], at: number): (TextToken & { kind: 'number' }) | undefined {
  const token = tokens[at];
  return token?.kind === 'number' ? token : undefined;
}

export function skip(tokens: readonly TextToken[], at: number, texts: ReadonlySet<string>): number {
  let next = at;
  while (next < at + MAX_PHRASE && texts.has(textAt(tokens, next))) next++;
  return next;
}

/** A phrase of the tables has no more words. */
export const MAX_PHRASE = 4;

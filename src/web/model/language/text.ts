/** The messages of a language. They are ICU messages: `{count, plural, one {# event} other {# events}}`. */

import { IntlMessageFormat } from 'intl-messageformat';
import type en from '../../languages/en.json';

export type MessageKey = keyof typeof en;
/** One file of `languages/`. */
export type Catalogue = Readonly<Record<MessageKey, string>>;
/** A message in one language. Throws if a value of the message is missing. */
export type Text = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

export function createText(catalogue: Catalogue): Text {
  const locale = catalogue['language.locale'];
  const parsed = new Map<MessageKey, IntlMessageFormat>();
  return (key, values) => {
    const message = parsed.get(key) ?? new IntlMessageFormat(catalogue[key], locale, undefined, { ignoreTag: true });
    parsed.set(key, message);
    return String(message.format(values)).replaceAll(NARROW_SPACE, NO_BREAK_SPACE);
  };
}

/** Of numbers in French. Not every font has it, and not every browser uses it. */
const NARROW_SPACE = '\u202f';
const NO_BREAK_SPACE = '\u00a0';

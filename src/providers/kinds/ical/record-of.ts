/** An event of a calendar as a mapping finds it: its properties by their names, in small letters or in capitals. */

import type { RawEvent } from './components.ts';
import type { ContentLine } from './content-lines.ts';
import { readProperty } from './property.ts';

/**
 * Texts are unescaped (RFC 5545 §3.3.11), dates are as they are written. What has several values is a list. A property is read when a
 * path asks for it: most never are, and a calendar has very many.
 */
export function recordOf({ lines, others }: RawEvent): object {
  const known = new Map<string, string | string[] | undefined>();
  const read = (property: string | symbol): unknown => {
    const name = String(property).toUpperCase();
    if (!known.has(name)) known.set(name, valuesOf(lines, name, asRead) ?? valuesOf(others, name, unescaped));
    return known.get(name);
  };
  return new Proxy(
    {},
    {
      get: (_, property) => read(property),
      getOwnPropertyDescriptor(_, property) {
        const value = read(property);
        return value === undefined ? undefined : { value, enumerable: true, configurable: true };
      },
    },
  );
}

function valuesOf(lines: readonly ContentLine[], name: string, finish: (text: string) => string): string | string[] | undefined {
  const same = lines.filter((line) => line.name === name && !line.isCutOff);
  const texts = same.flatMap((line) => readProperty(line)?.values ?? []).map(finish);
  const said = texts.filter((text) => text !== '');
  return said.length > 1 ? said : said[0];
}

const asRead = (text: string): string => text;

/** Names that the reader does not know are text (§3.8.8.2). */
function unescaped(text: string): string {
  return text.replace(/\\([\\;,nN])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign));
}

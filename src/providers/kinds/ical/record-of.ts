/** An event of a calendar as a mapping finds it: its properties by their names in small letters. */

import type { RawEvent } from './components.ts';
import type { ContentLine } from './content-lines.ts';
import { VLOCATION } from './place.ts';
import { readProperty } from './property.ts';

/** Texts are unescaped (RFC 5545 §3.3.11), dates are as they are written. What has several values is a list. */
export function recordOf({ lines, others }: RawEvent): Readonly<Record<string, unknown>> {
  const said = new Map<string, string[]>();
  const add = (line: ContentLine, read: (text: string) => string): void => {
    const values = line.isCutOff ? [] : (readProperty(line)?.values ?? []);
    const name = line.name.toLowerCase();
    const texts = said.get(name) ?? [];
    said.set(name, texts);
    texts.push(...values.map(read).filter((text) => text !== ''));
  };
  for (const line of lines) if (!line.name.startsWith(VLOCATION)) add(line, (text) => text);
  // Names that the reader does not know are text (§3.8.8.2).
  for (const line of others) add(line, unescaped);
  return Object.fromEntries([...said].map(([name, texts]) => [name, texts.length > 1 ? texts : texts[0]]));
}

function unescaped(text: string): string {
  return text.replace(/\\([\\;,nN])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign));
}

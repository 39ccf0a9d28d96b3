/** An item as a mapping finds it: its elements by their simple names. */

import type { Item } from './field.ts';

/** `startdate`, inside another element `location.name`, an attribute `enclosure.url`. What occurs several times is a list. */
export function recordOf(item: Item | undefined): Readonly<Record<string, unknown>> {
  const said = new Map<string, string[]>();
  const add = (name: string, text: string): void => {
    const texts = said.get(name) ?? [];
    if (text === '') return;
    said.set(name, texts);
    texts.push(text);
  };
  for (const { name, parent, text, attributes } of item?.fields ?? []) {
    const full = parent === '' ? name : `${parent}.${name}`;
    add(full, text);
    for (const [attribute, value] of Object.entries(attributes)) add(`${full}.${attribute.toLowerCase()}`, value.trim());
  }
  return Object.fromEntries([...said].map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts]));
}

/** What an event costs. The standard has no property for it: programs write one of their own, or a line of the description. */

import { labelKind, readLabels } from '../../fields/labels.ts';
import { readProperty } from './property.ts';
import type { CalendarEvent } from './read-event.ts';

/** In words, as written; null where nothing is said. */
export function priceOf({ raw }: CalendarEvent, description: string | null): string | null {
  for (const line of raw.others.filter(({ name }) => X_PRICE.test(name))) {
    const property = line.isCutOff ? null : readProperty(line);
    const text = property?.values[0]?.replace(/\\([,;\\])/g, '$1').trim() ?? '';
    // Fields that an operator of the program has named are of any kind.
    const isPrice = !line.name.endsWith(CUSTOM) || labelKind(property?.params.name ?? '') === 'price';
    if (isPrice && text !== '') return text;
  }
  return readLabels(description ?? '').price;
}

const CUSTOM = 'CUSTOMFIELD';
const X_PRICE = new RegExp(`^X-(?:[A-Z0-9]{1,20}-){0,3}(?:COST|PRICE|${CUSTOM})$`);

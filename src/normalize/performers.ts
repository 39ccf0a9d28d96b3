/** Who performs: as the provider says, or as the title and the description say beyond doubt. */

import { lineupOf, parseBill } from '../bill/index.ts';
import type { Category } from '../catalog/index.ts';
import type { EventListing } from '../providers/index.ts';
import { LIMITS } from './limits.ts';
import { lines, oneLine } from './text.ts';
import { takeStatus } from './titles/title-status.ts';

export interface BilledListing {
  title: string;
  description: string | null;
  category: Category;
  venueName: string;
}

/** The provider's names stand as they are, without marks such as `~ CANCELED`. A play or a talk has a title, not a bill. */
export function readPerformers(
  { performers }: Pick<EventListing, 'performers'>,
  billed: BilledListing,
  locale: string,
): string[] {
  const names = (texts: readonly string[]) =>
    lines(withoutMarks(texts.slice(0, 2 * LIMITS.performers), locale), LIMITS.performer, LIMITS.performers);
  const listed = names(performers);
  if (listed.length > 0 || !BILLED.has(billed.category)) return listed;
  const titled = parseBill(billed.title, billed.venueName)
    .acts.filter(({ isCertain, role }) => isCertain && role !== 'presenter' && role !== 'member')
    .map(({ name }) => name);
  // The title of a night or of a comedy show is no name; several names in it are.
  const named = titled.length > 1 || (billed.category === 'concert' && isName(titled[0] ?? '')) ? titled : [];
  const described = billed.description === null ? [] : lineupOf(billed.description);
  return names([...named, ...described]);
}

/** A text that is nothing but a mark names nobody. */
function withoutMarks(texts: readonly string[], locale: string): string[] {
  return texts.flatMap((text) => {
    const { title, status } = takeStatus(oneLine(text), locale);
    const isMarkAlone = status !== null && takeStatus(title, locale).status !== null;
    return isMarkAlone ? [] : [title];
  });
}

/** `Piano in Copper Park` says where. */
const isName = (text: string): boolean =>
  text !== '' && text.split(' ').length <= MAX_NAME_WORDS && !/\s(?:at|in|on)\s/i.test(text);

const BILLED: ReadonlySet<Category> = new Set<Category>(['concert', 'nightlife', 'comedy']);
/** A longer title is a sentence. */
const MAX_NAME_WORDS = 6;

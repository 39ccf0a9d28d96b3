/** The acts that a description lists. */

import { isOccasion } from './bill-words.ts';
import { createActs } from './parse-bill.ts';

/** Names after `Line-up:`, `Featuring:` or `With performances by`, as far as the line or the list goes; none without such a word. */
export function lineupOf(description: string): string[] {
  const match = LINEUP.exec(description.slice(0, MAX_CHARS));
  if (!match) return [];
  const rest = description.slice(match.index + match[0].length, match.index + match[0].length + MAX_LIST_CHARS);
  const lines = rest.split('\n').map((line) => line.replace(/^[\s\-–•*·]+/, '').trim());
  const first = lines.find((line) => line !== '') ?? '';
  const isOneLine = /[,/|•+]/.test(first);
  const end = lines.findIndex((line, index) => line === '' && index > 0);
  // A sentence ends its list with `and`.
  const names = isOneLine
    ? [first.replace(/[.!](?:\s.*)?$/s, '').replace(/ and (?=[^,]*$)/, ', ')]
    : lines.slice(0, end === -1 ? lines.length : end);
  const acts = createActs();
  for (const line of names) if (line.length <= MAX_NAME_CHARS || isOneLine) acts.addList(line, 'support', true);
  const listed = acts.list().filter(({ isCertain, name }) => isCertain && !isOccasion(name));
  return listed.length < MIN_NAMES ? [] : listed.map(({ name }) => name);
}

const LINEUP =
  /(?:^|\n|[.!]\s)\s*(?:line[- ]?up|featuring|with (?:live )?(?:performances|music|sets) (?:by|from)|performing|performers|artists|djs|besetzung|artistes)\s*:\s*/i;
const MAX_CHARS = 4000;
const MAX_LIST_CHARS = 600;
const MAX_NAME_CHARS = 60;
/** One name after such a word may be the start of a sentence. */
const MIN_NAMES = 2;

/** What was read differently than it was sent, whoever read it: one sentence for each argument, as far as there is room for them. */

import { cutText } from '../text.ts';

export interface ArgumentReading {
  /** Of the argument. */
  name: string;
  /** As it came. */
  given: unknown;
  /** The rest of the sentence, such as `was read as "concert"`. */
  became: string;
}

/** `why`: what follows the value, such as `, the maximum`. */
export const readAs = (name: string, given: unknown, read: unknown, why = ''): ArgumentReading => ({
  name,
  given,
  became: `was read as ${showValue(read)}${why}`,
});

/** Sentences for the notes. An argument that was read in two steps is said once: as it came, and as it was read in the end. */
export function noteReadings(readings: readonly ArgumentReading[], maxChars: number): string[] {
  const byName = new Map<string, ArgumentReading>();
  for (const reading of readings) byName.set(reading.name, { ...reading, given: (byName.get(reading.name) ?? reading).given });
  const notes: string[] = [];
  const unsaid: string[] = [];
  let left = maxChars * SHARE_OF_ANSWER;
  for (const { name, given, became } of byName.values()) {
    const note = `${name} ${showValue(given)} ${became}.`;
    left -= note.length;
    if (left >= 0 || notes.length === 0) notes.push(note);
    else unsaid.push(name);
  }
  return unsaid.length === 0 ? notes : [...notes, `Read differently, too: ${unsaid.join(', ')}.`];
}

/** A value of the caller in a sentence of ours. */
export const showValue = (value: unknown): string => cutText(JSON.stringify(value) ?? 'nothing', MAX_SHOWN);

const MAX_SHOWN = 64;
/** Of both forms of the answer: the events matter more. */
const SHARE_OF_ANSWER = 0.1;

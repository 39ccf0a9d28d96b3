/** The acts of a bill as they are found, each name once. */

import { isOccasion, LIST_SIGN, NAME_ENDING, NOBODY, PAIR_SIGN, WEAK_SIGN } from './bill-words.ts';
import type { ActRole, BillAct } from './parse-bill.ts';

export function createActs() {
  const acts = new Map<string, BillAct>();

  /** A name that was found twice keeps its first role, and is certain if one reading is. */
  function add(text: string, role: ActRole, { isCertain, isLead }: Standing): void {
    const name = cleanName(text);
    if (name === null || /\btour\b/i.test(name)) return;
    const key = name.toLowerCase();
    const known = acts.get(key);
    const isNamed = isCertain && !isOccasion(name);
    acts.set(key, {
      name: known?.name ?? name,
      role: known?.role ?? role,
      isCertain: isNamed || known?.isCertain === true,
      isLead: isLead || known?.isLead === true,
    });
  }

  function addList(text: string, role: ActRole, isCertain: boolean): void {
    const parts = splitList(text);
    for (const [index, part] of parts.entries()) addWeakList(part, role, { isCertain, isLead: index === 0 });
    if (parts.length > 1) add(text, role, WHOLE);
  }

  /** `Black Harbor, New Mill` is one act or two; with a third name it is a list. */
  function addWeakList(text: string, role: ActRole, { isCertain, isLead }: Standing): void {
    const parts = text.split(WEAK_SIGN).filter((part) => part.trim() !== '');
    const isClear = parts.length !== 2;
    for (const [index, part] of parts.entries())
      addPair(part, role, { isCertain: isCertain && isClear, isLead: isLead && index === 0 });
    if (parts.length > 1) add(text, role, { ...WHOLE, isLead });
  }

  /** `Salt & the Marrows` is one act, `Ida & Rico` may be two. */
  function addPair(text: string, role: ActRole, { isCertain, isLead }: Standing): void {
    add(text, role, { isCertain, isLead });
    const parts = text.split(PAIR_SIGN);
    if (parts.length > 1)
      for (const [index, part] of parts.entries()) add(part, role, { isCertain: false, isLead: isLead && index === 0 });
  }

  return {
    addPresenter: (name: string) => add(name, 'presenter', WHOLE),
    addList,
    addMembers(text: string): void {
      for (const part of text.split(/\s+(?:from|of)\s+/i)) addList(part, 'member', false);
    },
    list: (): BillAct[] => [...acts.values()].slice(0, MAX_ACTS),
  };
}

interface Standing {
  isCertain: boolean;
  isLead: boolean;
}

/** A list as one name: some acts are called so. */
const WHOLE: Standing = { isCertain: false, isLead: true };

function splitList(text: string): string[] {
  const parts = text.split(LIST_SIGN).filter((part) => part.trim() !== '');
  if (parts.length > 1) return parts;
  const tight = text.split(/(?<=\p{L})\/(?=\p{L})/u);
  return tight.length > 2 ? tight : [text];
}

/** Null for what names nobody. */
function cleanName(text: string): string | null {
  let name = text.replace(/\s+/g, ' ').trim();
  for (let before = ''; before !== name; ) {
    before = name;
    name = name
      .replace(NAME_ENDING, '')
      .replace(/^(?:and|&|\+|plus|(?:dj sets?|music|sounds|beats) by|hosted by|special guests?:?)\s+/i, '')
      .replace(/^[\s"“”'‘*~,.:;–—-]+|[\s"“”*~,:;–—-]+$/gu, '')
      .trim();
  }
  if (name.length < MIN_CHARS || NOBODY.test(name) || !/\p{L}/u.test(name)) return null;
  return name.split(' ').length > MAX_WORDS ? null : name;
}

const MIN_CHARS = 2;
/** A longer one is a sentence. */
const MAX_WORDS = 8;
const MAX_ACTS = 60;

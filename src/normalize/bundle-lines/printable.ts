/** Text of a stranger as it may stand in a reason. */

/**
 * Reasons are printed on terminals, which act on control characters, and show what follows a mark of direction in another order. Both are
 * written as the \u escapes of JSON, as are the line ends of Unicode.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (mark) => mark.split('').map(escaped).join(''));
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

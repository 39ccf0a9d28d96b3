/** Where the next page of a list begins: `o40` after forty records. */

export const cursorAt = (offset: number): string => `o${offset}`;

/** The first page without one. Adds to `mistakes` what is none of ours. */
export function readCursor(cursor: unknown, mistakes: string[]): number {
  if (cursor === undefined) return 0;
  const [, digits] = /^o(\d{1,9})$/.exec(String(cursor)) ?? [];
  if (digits === undefined) mistakes.push('cursor is not one of this tool; leave it out to begin with the first page');
  return Number(digits ?? 0);
}

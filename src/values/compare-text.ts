/** Order of texts by UTF-16 code units, the same on every machine: negative when `a` comes first, 0 when they are equal. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

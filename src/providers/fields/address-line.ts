/** The address of a venue whose provider gives it in parts. */

/** The parts that say something, with the blanks around them taken off: `79 W Chippewa St, Buffalo, NY 14202`. */
export function addressLine(parts: readonly (string | null)[]): string | null {
  const said = parts.map((part) => part?.trim() ?? '').filter((part) => part !== '');
  return said.length > 0 ? said.join(', ') : null;
}

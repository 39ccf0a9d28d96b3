/** The address of a venue whose provider gives it in parts. */

type Parts = readonly (string | null)[];

/**
 * The parts that say something, with the blanks around them taken off: `79 W Chippewa St, Buffalo, NY 14202`. Parts of a list inside, such
 * as a region and its postcode, have no comma between them.
 */
export function addressLine(parts: readonly (string | null | Parts)[]): string | null {
  return join(
    parts.map((part) => (Array.isArray(part) ? join(part, ' ') : (part as string | null))),
    ', ',
  );
}

function join(parts: Parts, between: string): string | null {
  const said = parts.map((part) => part?.trim() ?? '').filter((part) => part !== '');
  return said.length > 0 ? said.join(between) : null;
}

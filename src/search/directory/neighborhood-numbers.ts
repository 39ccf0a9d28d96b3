/** Neighborhoods by number. They keep their number while the process lives; one that is gone keeps it unused. */

export interface NeighborhoodNumbers {
  /** By number. */
  readonly slugs: readonly string[];
  /** The number of a slug; a new one when it has none. */
  claim(slug: string): number;
}

export function createNeighborhoodNumbers(slugs: string[] = []): NeighborhoodNumbers {
  const numbers = new Map(slugs.map((slug, number) => [slug, number]));
  return {
    slugs,
    claim(slug) {
      const known = numbers.get(slug);
      if (known !== undefined) return known;
      numbers.set(slug, slugs.length);
      return slugs.push(slug) - 1;
    },
  };
}

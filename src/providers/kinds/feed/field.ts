/** An item of any feed as a flat list of what it says. */

export interface FeedField {
  /** The vocabulary: one of `SPACES`, else the address of the namespace, or its prefix where no address is given. */
  space: string;
  /** Local name in small letters and without signs: `startdate` for `ev:startDate`, `start_date` and `event:startdate`. */
  name: string;
  /** `name` of what it stands in; '' when it stands in the item itself. */
  parent: string;
  /** Decoded once, as its format asks; markup inside is kept as written. */
  text: string;
  attributes: Readonly<Record<string, string>>;
}

export interface Item {
  fields: readonly FeedField[];
  /** The document ends inside it. */
  isCutOff: boolean;
}

export interface ParsedFeed {
  items: Item[];
  /** The document ends before its last element does. */
  isCutOff: boolean;
  /** Where the rest of the items is, as written (RFC 5005 §3, JSON Feed 1.1 `next_url`). */
  next: string | null;
}

export function simpleName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The vocabularies whose words mean something of their own here. `core` is RSS, RDF, Atom and JSON Feed. */
export const SPACES = ['core', 'content', 'dc', 'media', 'xcal', 'gd'] as const;

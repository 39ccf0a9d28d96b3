/** The items of large JSON, one after the other: elements of Overpass, features of GeoJSON, or one feature a line. */

/**
 * The objects of the outermost array, such as `elements` or `features`; the outermost objects if there is no array around them. Text
 * outside of them is passed over, so memory holds one item. Throws a `RangeError` for an item that is too large, a `SyntaxError`, and an `Error` where the text is cut off.
 */
export async function* jsonItems(chunks: AsyncIterable<string>, isLines: boolean): AsyncGenerator<unknown[]> {
  const scan: Scan = { isLines, open: [], held: '', itemDepth: -1, isString: false, isEscaped: false };
  for await (const chunk of chunks) {
    const items = itemsEndingIn(chunk, scan);
    if (items.length > 0) yield items.map((item): unknown => JSON.parse(item));
  }
  if (scan.isString || scan.open.length > 0) throw new Error(CUT_OFF);
}

export const CUT_OFF = 'the file ends in the middle';

interface Scan {
  isLines: boolean;
  /** The brackets that are open, outermost first: `[` and `{`. */
  open: number[];
  /** The item that is being read, as far as earlier chunks have it. */
  held: string;
  /** How many are open around the item that is being read; -1 outside of items. */
  itemDepth: number;
  isString: boolean;
  isEscaped: boolean;
}

/** Follows brackets and strings through a chunk; gives the texts of the items that end in it. */
function itemsEndingIn(chunk: string, scan: Scan): string[] {
  const items: string[] = [];
  let start = 0;
  for (let at = scan.isString ? endOfString(chunk, 0, scan) + 1 : 0; at < chunk.length; at++) {
    const code = chunk.charCodeAt(at);
    if (code === QUOTE) at = endOfString(chunk, at + 1, scan);
    else if (OPENING.has(code) && opened(scan, code)) start = at;
    else if (CLOSING.has(code) && closed(scan)) {
      items.push(scan.held + chunk.slice(start, at + 1));
      scan.held = '';
    }
  }
  if (scan.itemDepth >= 0) scan.held += chunk.slice(start);
  if (scan.held.length > MAX_ITEM_CHARS) throw new RangeError(`an item has more than ${MAX_ITEM_CHARS} characters`);
  return items;
}

/** Where the string ends in which a place is; the end of the chunk if it goes on. */
function endOfString(chunk: string, from: number, scan: Scan): number {
  scan.isString = true;
  for (let at = from; at < chunk.length; at++) {
    const code = chunk.charCodeAt(at);
    if (code === QUOTE && !scan.isEscaped) {
      scan.isString = false;
      return at;
    }
    scan.isEscaped = code === BACKSLASH && !scan.isEscaped;
  }
  return chunk.length;
}

/** Whether an item begins. */
function opened(scan: Scan, code: number): boolean {
  const begins = scan.itemDepth < 0 && code === OPEN_OBJECT && isItem(scan.open, scan.isLines);
  if (begins) scan.itemDepth = scan.open.length;
  scan.open.push(code);
  return begins;
}

/** Whether an item ends. */
function closed(scan: Scan): boolean {
  scan.open.pop();
  if (scan.open.length !== scan.itemDepth) return false;
  scan.itemDepth = -1;
  return true;
}

function isItem(open: readonly number[], isLines: boolean): boolean {
  if (isLines) return open.length === 0;
  return open.length <= 2 && open.at(-1) === OPEN_ARRAY;
}

const [QUOTE, BACKSLASH, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [34, 92, 123, 125, 91, 93] as const;
const OPENING: ReadonlySet<number> = new Set([OPEN_OBJECT, OPEN_ARRAY]);
const CLOSING: ReadonlySet<number> = new Set([CLOSE_OBJECT, CLOSE_ARRAY]);
/** The border of a country as one polygon has fewer. */
const MAX_ITEM_CHARS = 64 * 1024 * 1024;

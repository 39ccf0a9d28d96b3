/** The items of large JSON, one after the other: elements of Overpass, features of GeoJSON, or one feature a line. */

/**
 * The objects of the outermost array, such as `elements` or `features`; the outermost objects if there is no array around them. Text
 * outside of them is passed over, so memory holds one item. Throws a `RangeError` for an item that is too large, and a `SyntaxError`.
 */
export async function* jsonItems(chunks: AsyncIterable<string>, isLines: boolean): AsyncGenerator<unknown[]> {
  const scan = createScanner(isLines);
  for await (const chunk of chunks) {
    const items = scan(chunk);
    if (items.length > 0) yield items.map((item): unknown => JSON.parse(item));
  }
}

/** Follows brackets and strings through chunks of text; gives the texts of items that end in a chunk. */
function createScanner(isLines: boolean): (chunk: string) => string[] {
  /** What is open, outermost first: `[` and `{`. */
  const open: number[] = [];
  let [isString, isEscaped] = [false, false];
  let held = '';
  /** How many are open around the item that is being read; -1 outside of items. */
  let itemDepth = -1;
  return (chunk) => {
    const items: string[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) isString = false;
      } else if (code === QUOTE) {
        isString = true;
      } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        if (itemDepth < 0 && code === OPEN_OBJECT && isItem(open, isLines)) {
          itemDepth = open.length;
          start = at;
        }
        open.push(code);
      } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        open.pop();
        if (open.length === itemDepth) {
          items.push(held + chunk.slice(start, at + 1));
          held = '';
          itemDepth = -1;
        }
      }
    }
    if (itemDepth >= 0) held += chunk.slice(start);
    if (held.length > MAX_ITEM_CHARS) throw new RangeError(`an item has more than ${MAX_ITEM_CHARS} characters`);
    return items;
  };
}

function isItem(open: readonly number[], isLines: boolean): boolean {
  if (isLines) return open.length === 0;
  return open.length <= 2 && open.at(-1) === OPEN_ARRAY;
}

const [QUOTE, BACKSLASH, OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [...'"\\{}[]'].map((sign) => sign.charCodeAt(0));
/** The border of a country as one polygon has fewer. */
const MAX_ITEM_CHARS = 64 * 1024 * 1024;

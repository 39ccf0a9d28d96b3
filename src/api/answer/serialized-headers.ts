/** Headers of an answer, as Node takes them and as they are sent. */
export class SerializedHeaders {
  /** Names and values in turn. */
  readonly list: readonly string[];
  #text: string | undefined;

  constructor(list: readonly string[]) {
    this.list = list;
  }

  /** Lines with their ends. Throws a `RangeError` for a value that no line can hold (RFC 9110 §5.5), as Node does for one in `list`. */
  get text(): string {
    this.#text ??= print(this.list);
    return this.#text;
  }
}

/** The reverse of `text`. */
export function splitLines(text: string): string[] {
  return text
    .split('\r\n')
    .slice(0, -1)
    .flatMap((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]);
}

/** Joined as an array, the text is one piece of memory and not a chain of its parts. */
function print(list: readonly string[]): string {
  const parts: string[] = [];
  for (let i = 0; i < list.length; i += 2) {
    const value = list[i + 1] as string;
    if (NO_FIELD_VALUE.test(value)) throw new RangeError(`the header ${list[i]} has a value that cannot be sent`);
    parts.push(list[i] as string, ': ', value, '\r\n');
  }
  return parts.join('');
}

/** The characters that Node refuses too. */
const NO_FIELD_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Houses and lines of one street as bytes: 100,000 house numbers are 1.2 MB, in the database and in memory. */

/** Three numbers for each house, number, latitude and longitude in units of 1e-6 degrees. */
export const unpackHouses = (bytes: Buffer): Int32Array => numbersOf(bytes);

export function unpackLines(bytes: Buffer): Int32Array[] {
  const numbers = numbersOf(bytes);
  const lines: Int32Array[] = [];
  for (let at = 0; at < numbers.length; ) {
    const end = at + 1 + 2 * (numbers[at] ?? 0);
    lines.push(numbers.subarray(at + 1, end));
    at = end;
  }
  return lines;
}

/** A copy: a typed array must begin at a multiple of its width. */
function numbersOf(bytes: Buffer): Int32Array {
  const numbers = new Int32Array(bytes.length >> 2);
  for (let index = 0; index < numbers.length; index++) numbers[index] = bytes.readInt32LE(index * 4);
  return numbers;
}

/** Houses and lines of one street as bytes: 100,000 house numbers are 1.2 MB, in the database and in memory. */

/** A house: its number with the suffix as one key (`house-number.ts`), and its point in units of 1e-6 degrees. */
export interface House {
  key: number;
  latitude: number;
  longitude: number;
}

/** The points of one line, latitude before longitude, in units of 1e-6 degrees. */
export type Line = readonly number[];

export function packHouses(houses: readonly House[]): Buffer {
  return bytesOf(houses.flatMap(({ key, latitude, longitude }) => [key, latitude, longitude]));
}

/** Three numbers for each house, as `House` names them. */
export const unpackHouses = (bytes: Buffer): Int32Array => numbersOf(bytes);

export function packLines(lines: readonly Line[]): Buffer {
  return bytesOf(lines.flatMap((line) => [line.length / 2, ...line]));
}

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

function bytesOf(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => {
    bytes.writeInt32LE(number, index * 4);
  });
  return bytes;
}

/** A copy: a typed array must begin at a multiple of its width. */
function numbersOf(bytes: Buffer): Int32Array {
  const numbers = new Int32Array(bytes.length >> 2);
  for (let index = 0; index < numbers.length; index++) numbers[index] = bytes.readInt32LE(index * 4);
  return numbers;
}

export const MICRO_DEGREES = 1e6;

/** QR codes (ISO/IEC 18004): byte mode, error correction level L, versions 1 to 20, as many as 858 bytes. */

/** Rows of dark (true) and light modules, without the quiet zone of four. Throws a `RangeError` for a longer text. */
export function qrModules(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version = SIZES.findIndex(({ data }) => bytes.length + 2 + (data > LONG_FROM ? 1 : 0) <= data) + 1;
  if (version === 0) throw new RangeError('too long for a QR code');
  const grid = drawFunctionPatterns(version);
  placeCodewords(grid, interleave(dataCodewords(bytes, version), version));
  const masked = MASKS.map((_, mask) => applyMask(grid, mask));
  const penalties = masked.map(({ dark }) => penaltyOf(dark));
  const best = masked[penalties.indexOf(Math.min(...penalties))];
  return best?.dark ?? [];
}

/** One path for an `svg` whose `viewBox` is `0 0 size size`, quiet zone included. */
export function qrPath(text: string): { size: number; path: string } {
  const modules = qrModules(text);
  const runs = modules.flatMap((row, y) => {
    const line = row.map((dark) => (dark ? '#' : '.')).join('');
    return [...line.matchAll(/#+/g)].map(({ 0: run, index: x }) => `M${x + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`);
  });
  return { size: modules.length + 2 * QUIET, path: runs.join('') };
}

interface Grid {
  dark: boolean[][];
  /** Modules that hold no data. */
  fixed: boolean[][];
}

function dataCodewords(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  const capacity = sizeOf(version).data;
  push(BYTE_MODE, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, capacity * 8 - bits.length));
  while (bits.length % 8 > 0) bits.push(0);
  const words: number[] = [];
  for (let i = 0; i < bits.length; i += 8) words.push(bits.slice(i, i + 8).reduce((value, bit) => value * 2 + bit, 0));
  for (let i = 0; words.length < capacity; i++) words.push(i % 2 === 0 ? 0xec : 0x11);
  return words;
}

/** Blocks of nearly equal length, each with its own error correction, read column by column (§7.6). */
function interleave(data: readonly number[], version: number): number[] {
  const { blocks, correction } = sizeOf(version);
  const short = Math.floor(data.length / blocks);
  const longBlocks = data.length % blocks;
  const parts: { data: readonly number[]; correction: readonly number[] }[] = [];
  for (let i = 0, start = 0; i < blocks; i++) {
    const length = short + (i < blocks - longBlocks ? 0 : 1);
    const part = data.slice(start, start + length);
    parts.push({ data: part, correction: correctionOf(part, correction) });
    start += length;
  }
  const columns = (of: readonly (readonly number[])[], length: number) =>
    Array.from({ length }, (_, column) => of.flatMap((block) => block.slice(column, column + 1))).flat();
  return [
    ...columns(
      parts.map((part) => part.data),
      short + 1,
    ),
    ...columns(
      parts.map((part) => part.correction),
      correction,
    ),
  ];
}

/** The remainder of the data by the generator polynomial, over GF(2⁸) with x⁸+x⁴+x³+x²+1 (Annex A). */
function correctionOf(data: readonly number[], degree: number): number[] {
  let generator = [1];
  for (let i = 0; i < degree; i++) {
    const shifted = [...generator, 0];
    generator = shifted.map((value, at) => value ^ multiply(at > 0 ? (generator[at - 1] ?? 0) : 0, power(i)));
  }
  let remainder = new Array<number>(degree).fill(0);
  for (const byte of data) {
    const factor = byte ^ (remainder[0] ?? 0);
    remainder = [...remainder.slice(1), 0].map((value, at) => value ^ multiply(generator[at + 1] ?? 0, factor));
  }
  return remainder;
}

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * FIELD) ^ (((b >> bit) & 1) * a);
  return product;
}

function power(exponent: number): number {
  let value = 1;
  for (let i = 0; i < exponent; i++) value = multiply(value, 2);
  return value;
}

function drawFunctionPatterns(version: number): Grid {
  const size = 17 + 4 * version;
  const empty = () => Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const grid: Grid = { dark: empty(), fixed: empty() };
  for (let i = 0; i < size; i++) {
    set(grid, 6, i, i % 2 === 0);
    set(grid, i, 6, i % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(grid, x + dx, y + dy, ring !== 2 && ring !== 4);
      }
    }
  }
  const centers = alignmentCenters(version);
  for (const [i, x] of centers.entries()) {
    for (const [j, y] of centers.entries()) {
      const last = centers.length - 1;
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) continue;
      for (let dy = -2; dy <= 2; dy++)
        for (let dx = -2; dx <= 2; dx++) set(grid, x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  }
  drawFormat(grid, 0);
  if (version >= 7) drawVersion(grid, version);
  return grid;
}

/** Annex E: the first at 6, the last 7 from the edge, the others evenly between on even steps. */
function alignmentCenters(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const centers = [6];
  for (let i = count - 1, at = version * 4 + 10; i > 0; i--, at -= step) centers.splice(1, 0, at);
  return centers;
}

/** Level and mask with their own correction, twice (§7.9). */
function drawFormat(grid: Grid, mask: number): void {
  const size = grid.dark.length;
  const value = (LEVEL_L << 3) | mask;
  let rest = value;
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((value << 10) | rest) ^ 0x5412;
  const bit = (i: number) => ((bits >> i) & 1) === 1;
  for (let i = 0; i <= 5; i++) set(grid, 8, i, bit(i));
  set(grid, 8, 7, bit(6));
  set(grid, 8, 8, bit(7));
  set(grid, 7, 8, bit(8));
  for (let i = 9; i < 15; i++) set(grid, 14 - i, 8, bit(i));
  for (let i = 0; i < 8; i++) set(grid, size - 1 - i, 8, bit(i));
  for (let i = 8; i < 15; i++) set(grid, 8, size - 15 + i, bit(i));
  set(grid, 8, size - 8, true);
}

function drawVersion(grid: Grid, version: number): void {
  let rest = version;
  for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let i = 0; i < 18; i++) {
    const [a, b] = [grid.dark.length - 11 + (i % 3), Math.floor(i / 3)];
    set(grid, a, b, ((bits >> i) & 1) === 1);
    set(grid, b, a, ((bits >> i) & 1) === 1);
  }
}

/** In pairs of columns from the right, up and down in turn (§7.7.3). */
function placeCodewords(grid: Grid, words: readonly number[]): void {
  const size = grid.dark.length;
  let at = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    const column = right <= 6 ? right - 1 : right;
    for (let step = 0; step < size; step++) {
      const isUpward = ((column + 1) & 2) === 0;
      const y = isUpward ? size - 1 - step : step;
      for (const x of [column, column - 1]) {
        const row = grid.dark[y];
        if (!row || grid.fixed[y]?.[x] || at >= words.length * 8) continue;
        row[x] = (((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1) === 1;
        at += 1;
      }
    }
  }
}

function applyMask(grid: Grid, mask: number): Grid {
  const inverts = MASKS[mask] ?? (() => false);
  const dark = grid.dark.map((row, y) => row.map((is, x) => (grid.fixed[y]?.[x] ? is : is !== inverts(x, y))));
  const masked = { dark, fixed: grid.fixed };
  drawFormat(masked, mask);
  return masked;
}

/** The four things that make a code hard to read (§7.8.3). */
function penaltyOf(dark: readonly (readonly boolean[])[]): number {
  const size = dark.length;
  const text = (rows: readonly (readonly boolean[])[]) => rows.map((row) => row.map((is) => (is ? '1' : '0')).join(''));
  const columns = dark.map((_, x) => dark.map((row) => row[x] ?? false));
  let penalty = 0;
  for (const line of [...text(dark), ...text(columns)]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += [...line.matchAll(/(?=00001011101|10111010000)/g)].length * 40;
  }
  for (let y = 0; y < size - 1; y++) {
    for (let x = 0; x < size - 1; x++) {
      const is = dark[y]?.[x];
      if (is === dark[y]?.[x + 1] && is === dark[y + 1]?.[x] && is === dark[y + 1]?.[x + 1]) penalty += 3;
    }
  }
  const share = dark.flat().filter(Boolean).length / size ** 2;
  return penalty + Math.floor(Math.abs(share * 20 - 10)) * 10;
}

function set({ dark, fixed }: Grid, x: number, y: number, value: boolean): void {
  const [row, marks] = [dark[y], fixed[y]];
  if (!row || !marks || x < 0 || x >= row.length) return;
  row[x] = value;
  marks[x] = true;
}

const sizeOf = (version: number) => SIZES[version - 1] ?? { data: 0, blocks: 1, correction: 0 };

const QUIET = 4;
const BYTE_MODE = 0b0100;
const LEVEL_L = 0b01;
const FIELD = 0x11d;
/** From here on (version 10) the length takes two bytes. */
const LONG_FROM = 232;
const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];
/** Level L of versions 1 to 20: data codewords, blocks, and correction codewords of each block (table 9). */
const SIZES = [
  [19, 1, 7],
  [34, 1, 10],
  [55, 1, 15],
  [80, 1, 20],
  [108, 1, 26],
  [136, 2, 18],
  [156, 2, 20],
  [194, 2, 24],
  [232, 2, 30],
  [274, 4, 18],
  [324, 4, 20],
  [370, 4, 24],
  [428, 4, 26],
  [461, 4, 30],
  [523, 6, 22],
  [589, 6, 24],
  [647, 6, 28],
  [721, 6, 30],
  [795, 7, 28],
  [861, 8, 28],
].map(([data = 0, blocks = 1, correction = 0]) => ({ data, blocks, correction }));

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qrModules, qrPath } from '../../src/web/server/account.ts';

describe('a QR code', () => {
  it('says what it was made of, of whatever length', () => {
    for (const length of [0, 1, 17, 18, 53, 78, 134, 192, 230, 231, 271, 272, 400, 600, 858]) {
      const text = 'x'.repeat(length);
      expect(read(qrModules(text))).toBe(text);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
        expect(read(qrModules(text))).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  it('grows with its text, as far as the standard goes', () => {
    expect(qrModules('x')).toHaveLength(21);
    expect(qrModules('x'.repeat(858))).toHaveLength(97);
    expect(qrModules('x'.repeat(2_953))).toHaveLength(177);
    expect(() => qrModules('x'.repeat(2_954))).toThrow(RangeError);
  });

  it('is drawn dark on light with four modules of quiet around it', () => {
    const { size, path } = qrPath('x');
    expect(size).toBe(29);
    expect(path).toMatch(/^M4 4h7v1h-7z/);
    expect(path).not.toMatch(/M[0-3] |M\d+ [0-3]h/);
  });
});

/** A reader that knows the standard's tables only: finds the mask in the format bits, and checks every block's correction. */
function read(modules: boolean[][]): string {
  const size = modules.length;
  const version = (size - 17) / 4;
  const at = (x: number, y: number) => (modules[y]?.[x] ? 1 : 0);
  const format = [
    [0, 8],
    [1, 8],
    [2, 8],
    [3, 8],
    [4, 8],
    [5, 8],
    [7, 8],
    [8, 8],
    [8, 7],
    [8, 5],
    [8, 4],
    [8, 3],
    [8, 2],
    [8, 1],
    [8, 0],
  ]
    .map(([x = 0, y = 0]) => at(x, y))
    .join('');
  // Table C.1, level L.
  const mask = [
    '111011111000100',
    '111001011110011',
    '111110110101010',
    '111100010011101',
    '110011000101111',
    '110001100011000',
    '110110001000001',
    '110100101110110',
  ].indexOf(format);
  expect(mask).toBeGreaterThanOrEqual(0);
  const rules = [
    (i: number, j: number) => (i + j) % 2,
    (i: number) => i % 2,
    (_: number, j: number) => j % 3,
    (i: number, j: number) => (i + j) % 3,
    (i: number, j: number) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2,
    (i: number, j: number) => ((i * j) % 2) + ((i * j) % 3),
    (i: number, j: number) => (((i * j) % 2) + ((i * j) % 3)) % 2,
    (i: number, j: number) => (((i * j) % 3) + ((i + j) % 2)) % 2,
  ];
  // Table E.1.
  const centers =
    [
      [],
      [6, 18],
      [6, 22],
      [6, 26],
      [6, 30],
      [6, 34],
      [6, 22, 38],
      [6, 24, 42],
      [6, 26, 46],
      [6, 28, 50],
      [6, 30, 54],
      [6, 32, 58],
      [6, 34, 62],
      [6, 26, 46, 66],
      [6, 26, 48, 70],
      [6, 26, 50, 74],
      [6, 30, 54, 78],
      [6, 30, 56, 82],
      [6, 30, 58, 86],
      [6, 34, 62, 90],
    ][version - 1] ?? [];
  const isData = (x: number, y: number): boolean => {
    if (x === 6 || y === 6) return false;
    if ((x < 9 && y < 9) || (x > size - 9 && y < 9) || (x < 9 && y > size - 9)) return false;
    if (version >= 7 && ((y < 6 && x > size - 12 && x < size - 8) || (x < 6 && y > size - 12 && y < size - 8))) return false;
    return !centers.some((cx) =>
      centers.some((cy) => {
        const isFinder = (cx === 6 && (cy === 6 || cy === size - 7)) || (cy === 6 && cx === size - 7);
        return !isFinder && Math.abs(cx - x) <= 2 && Math.abs(cy - y) <= 2;
      }),
    );
  };
  let bits = '';
  let upward = true;
  for (let x = size - 1; x > 0; x -= 2) {
    if (x === 6) x -= 1;
    for (let n = 0; n < size; n++) {
      const y = upward ? size - 1 - n : n;
      for (const column of [x, x - 1]) if (isData(column, y)) bits += at(column, y) ^ (rules[mask]!(y, column) === 0 ? 1 : 0);
    }
    upward = !upward;
  }
  const words = (bits.match(/.{8}/g) ?? []).map((word) => Number.parseInt(word, 2));
  // Table 9, level L: how many blocks of how many data words, and the correction words of each.
  const [groups, correction] = (
    [
      [[[1, 19]], 7],
      [[[1, 34]], 10],
      [[[1, 55]], 15],
      [[[1, 80]], 20],
      [[[1, 108]], 26],
      [[[2, 68]], 18],
      [[[2, 78]], 20],
      [[[2, 97]], 24],
      [[[2, 116]], 30],
      [
        [
          [2, 68],
          [2, 69],
        ],
        18,
      ],
      [[[4, 81]], 20],
      [
        [
          [2, 92],
          [2, 93],
        ],
        24,
      ],
      [[[4, 107]], 26],
      [
        [
          [3, 115],
          [1, 116],
        ],
        30,
      ],
      [
        [
          [5, 87],
          [1, 88],
        ],
        22,
      ],
      [
        [
          [5, 98],
          [1, 99],
        ],
        24,
      ],
      [
        [
          [1, 107],
          [5, 108],
        ],
        28,
      ],
      [
        [
          [5, 120],
          [1, 121],
        ],
        30,
      ],
      [
        [
          [3, 113],
          [4, 114],
        ],
        28,
      ],
      [
        [
          [3, 107],
          [5, 108],
        ],
        28,
      ],
    ] as [number[][], number][]
  )[version - 1]!;
  const blocks: number[][] = groups.flatMap(([count = 0]) => Array.from({ length: count }, () => []));
  const lengths = groups.flatMap(([count = 0, length = 0]) => new Array<number>(count).fill(length));
  let next = 0;
  for (let column = 0; column < Math.max(...lengths); column++) {
    for (const [i, block] of blocks.entries()) if (column < lengths[i]!) block.push(words[next++]!);
  }
  const data = blocks.flatMap((block) => [...block]);
  for (let column = 0; column < correction; column++) for (const block of blocks) block.push(words[next++]!);
  for (const block of blocks)
    for (let root = 0; root < correction; root++)
      expect(block.reduce((sum, word) => word ^ times(sum, antilog(root)), 0)).toBe(0);
  const stream = data.map((word) => word.toString(2).padStart(8, '0')).join('');
  expect(stream.slice(0, 4)).toBe('0100');
  const lengthBits = version < 10 ? 8 : 16;
  const length = Number.parseInt(stream.slice(4, 4 + lengthBits), 2);
  const bytes = stream.slice(4 + lengthBits, 4 + lengthBits + 8 * length).match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))).toString('utf8');
}

const antilog = (exponent: number): number => {
  let value = 1;
  for (let n = 0; n < exponent; n++) value = value >= 128 ? (value * 2) ^ 285 : value * 2;
  return value;
};
const log = (value: number): number => Array.from({ length: 255 }, (_, n) => antilog(n)).indexOf(value);
const LOGS = Array.from({ length: 256 }, (_, value) => log(value));
const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : antilog((LOGS[a]! + LOGS[b]!) % 255));

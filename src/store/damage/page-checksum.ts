/**
 * The checksum that PostgreSQL writes into each page of its files (`src/include/storage/checksum_impl.h`): 32 hashes of the FNV kind
 * side by side, mixed with the number of the block.
 */

/** Bytes of a page. */
export const PAGE_BYTES = 8192;

/**
 * Whether the page says of itself what it holds; a page that was never written is all zeros. `page`: PAGE_BYTES, aligned to four
 * bytes. `block`: its number in the relation.
 */
export function isPageWhole(page: Buffer, block: number): boolean {
  if (page.readUInt16LE(PD_UPPER) === 0) return page.equals(ZEROS);
  return page.readUInt16LE(PD_CHECKSUM) === checksumOf(page, block);
}

function checksumOf(page: Buffer, block: number): number {
  const words = new Int32Array(page.buffer, page.byteOffset, PAGE_BYTES / 4);
  sums.set(BASE_OFFSETS);
  for (let at = 0; at < words.length; at += SUMS) {
    for (let lane = 0; lane < SUMS; lane += 1) {
      const word = words[at + lane] as number;
      // The checksum itself counts as zero.
      sums[lane] = mix(sums[lane] as number, at + lane === CHECKSUM_WORD ? word & 0xffff0000 : word);
    }
  }
  let result = 0;
  for (const sum of sums) result ^= mix(mix(sum, 0), 0);
  return (((result ^ block) >>> 0) % 65_535) + 1;
}

function mix(sum: number, word: number): number {
  const mixed = sum ^ word;
  return Math.imul(mixed, FNV_PRIME) ^ (mixed >>> 17);
}

/** Of the header of a page (`src/include/storage/bufpage.h`): bytes from its beginning. */
const PD_CHECKSUM = 8;
const PD_UPPER = 14;
const CHECKSUM_WORD = PD_CHECKSUM / 4;
const ZEROS = Buffer.alloc(PAGE_BYTES);
const FNV_PRIME = 16_777_619;
const SUMS = 32;
const BASE_OFFSETS = new Uint32Array([
  ...[0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c],
  ...[0xf8d4474f, 0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb],
  ...[0xe58f764b, 0x187636bc, 0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4],
  ...[0x783125bb, 0x6ca8eaa2, 0xe407eac6, 0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756],
]);
/** One page is looked at at a time. */
const sums = new Int32Array(SUMS);
